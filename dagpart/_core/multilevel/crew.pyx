"""Several threads at one partition. Jobs draw from streams of their own, so who takes one changes only the time."""

from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from dagpart._core.base.interrupt cimport Stop, watch
from dagpart._core.base.options cimport Options
from dagpart._core.base.types cimport vid_t, wgt_t
from dagpart._core.graph.csr cimport Graph
from dagpart._core.multilevel.bisection cimport Job, halve, is_leaf, part_ways, seed_of, split, write_leaf
from dagpart._core.multilevel.kway cimport (
    FINALISTS, Final, Request, close_final, enter_bisected, improve_finalist, restarts_for, seed_of_restart,
)
from dagpart._core.multilevel.portfolio cimport Portfolio, close_portfolio, make_guide, make_start, open_portfolio
from dagpart._core.refinement.refiner cimport Scratch


cdef class Branch:
    # A job of recursive bisection that any thread can take.
    cdef Job job
    cdef Options opt
    cdef wgt_t cap
    cdef uint64_t seed

    cdef Branch child(self, const Job& job):
        cdef Branch b = Branch()
        b.job = job
        b.opt = self.opt
        b.cap = self.cap
        b.seed = self.seed
        return b

    def split(self, Stop stop):
        cdef Job low, high
        cdef Scratch scratch
        watch(stop)
        try:
            with nogil:
                scratch.fm.epoch = 0
                split(self.job, self.job.graph, self.cap, self.opt, self.seed, scratch, low, high)
        finally:
            watch(None)
        return self.child(low), self.child(high)


cdef enum Step:
    GUIDE, START, FINALIST


cdef class Crew:
    # Steps on the whole graph that threads can take side by side.
    cdef const Graph* g
    cdef Options opt
    cdef Portfolio folio
    cdef Final final

    cdef int work(self, int step, int which, Scratch& scratch) except -1 nogil:
        if step == GUIDE:
            return make_guide(self.g[0], self.opt, which, scratch, self.folio)
        if step == START:
            return make_start(self.g[0], self.opt, which, scratch, self.folio)
        return improve_finalist(self.g[0], self.opt, which, scratch, self.final)

    def take(self, int step, int which, Stop stop):
        cdef Scratch scratch
        watch(stop)
        try:
            with nogil:
                scratch.fm.epoch = 0
                self.work(step, which, scratch)
        finally:
            watch(None)

    def share(self, pool, int step, int count, Stop stop):
        # `count` steps of one kind, side by side.
        for done in [pool.submit(self.take, step, which, stop) for which in range(count)]:
            done.result()


cdef int bisect_threaded(pool, const Graph& g, const Request& request, const Options& opt, uint64_t seed,
                         Scratch& scratch, Stop stop, vector[vid_t]& label) except -1:
    # Recursive bisection: the starts of the first one side by side, then the branches.
    cdef Crew crew = Crew()
    cdef Branch root = Branch(), branch
    cdef Job low, high
    cdef vector[vid_t] side
    crew.g = &g
    crew.opt = opt
    root.opt = opt
    root.cap = request.cap
    root.seed = seed
    root.job.first = 0
    root.job.k = request.k
    label.assign(g.n, 0)
    with nogil:
        halve(root.job, g, request.cap, low, high, crew.folio.cap)
        open_portfolio(g, low.k, high.k, opt, seed_of(root.job, seed), crew.folio)
    crew.share(pool, GUIDE, crew.folio.guides.size(), stop)
    crew.share(pool, START, crew.folio.entrants.size(), stop)
    with nogil:
        close_portfolio(g, opt, scratch, crew.folio, side)
        part_ways(root.job, g, side, low, high)
    ready = [root.child(low), root.child(high)]
    running = set()
    while ready or running:
        for branch in ready:
            if is_leaf(branch.job):
                write_leaf(branch.job, label)
            else:
                running.add(pool.submit(branch.split, stop))
        done, running = wait(running, return_when=FIRST_COMPLETED) if running else ((), running)
        ready = [child for future in done for child in future.result()]
    return 0


cdef int solve_threaded(const Graph& g, const Request& request, const Options& opt, Scratch& scratch, int threads,
                        Stop given, vector[vid_t]& label) except -1:
    # What kway.solve does, by several threads.
    cdef Crew crew = Crew()
    cdef Stop stop = Stop() if given is None else given
    cdef int restart
    crew.g = &g
    crew.opt = opt
    crew.final.request = request
    with ThreadPoolExecutor(threads) as pool:
        try:
            for restart in range(restarts_for(g, request.k, opt) + 1):
                bisect_threaded(pool, g, request, opt, seed_of_restart(request.seed, restart), scratch, stop, label)
                with nogil:
                    enter_bisected(g, opt, scratch, label, crew.final)
            crew.share(pool, FINALIST, FINALISTS, stop)
            with nogil:
                close_final(g, opt, scratch, crew.final, label)
        except BaseException:
            if not stop.raised:
                stop.set()
            raise
    return 0
