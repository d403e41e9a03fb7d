"""A plan under duplex single-port, run by SimGrid: for the interpreter that has its Python bindings.

Reads a plan as JSON from standard input, writes the ends of its tasks and messages as JSON. Every host has
three actors: one computes, one sends and one receives, each taking things in its given order. Messages are
rendezvous: both ports are held from when both are there until all has arrived. Each pair of hosts has a
link of its own for each direction, so nothing but the ports is shared.
"""

from __future__ import annotations

import json
import sys

from simgrid import Actor, Engine, LinkInRoute, Mailbox, NetZone, Semaphore, this_actor

# The plain sum of latency and size over bandwidth: no correction for TCP, no window, no traffic of
# acknowledgements.
SETTINGS = (
    "network/model:CM02",
    "network/bandwidth-factor:1",
    "network/latency-factor:1",
    "network/weight-S:0",
    "network/TCP-gamma:0",
    "network/crosstraffic:0",
    "surf/precision:1e-12",
    "maxmin/precision:1e-12",
)


class Run:
    def __init__(self, plan: dict) -> None:
        self.plan = plan
        self.finish = [-1.0] * len(plan["durations"])
        self.received = [-1.0] * len(plan["messages"])
        self.ended = [Semaphore(0) for _ in self.finish]
        self.arrived = [Semaphore(0) for _ in self.received]

    def compute(self, tasks: list[int]) -> None:
        here = set()
        for task in tasks:
            for message in self.plan["needs"][task]:
                # One message may serve several tasks here.
                if message not in here:
                    self.arrived[message].acquire()
                    here.add(message)
            this_actor.execute(self.plan["durations"][task])
            self.finish[task] = Engine.clock
            for _ in range(self.plan["sent"][task]):
                self.ended[task].release()

    def send(self, messages: list[int]) -> None:
        for message in messages:
            producer, size = self.plan["messages"][message]
            self.ended[producer].acquire()
            Mailbox.by_name(str(message)).put(message, size)

    def receive(self, messages: list[int]) -> None:
        for message in messages:
            Mailbox.by_name(str(message)).get()
            self.received[message] = Engine.clock
            self.arrived[message].release()


def main() -> None:
    plan = json.load(sys.stdin)
    engine = Engine([sys.argv[0], "--log=root.thres:error", *(f"--cfg={setting}" for setting in SETTINGS)])
    zone = NetZone.create_full_zone("zone")
    hosts = [zone.create_host(f"host{q}", 1.0) for q in range(len(plan["tasks"]))]
    for a, source in enumerate(hosts):
        for b, destination in enumerate(hosts):
            if a != b:
                link = zone.create_link(f"link{a}-{b}", 1.0 / plan["gap"][a][b])
                link.set_latency(plan["latency"][a][b])
                link.seal()
                zone.add_route(source.netpoint, destination.netpoint, None, None, [LinkInRoute(link)], False)
    zone.seal()
    run = Run(plan)
    for q, host in enumerate(hosts):
        Actor.create(f"cpu{q}", host, run.compute, plan["tasks"][q])
        Actor.create(f"send{q}", host, run.send, plan["sends"][q])
        Actor.create(f"receive{q}", host, run.receive, plan["receives"][q])
    engine.run()
    json.dump({"finish": run.finish, "received": run.received}, sys.stdout)


if __name__ == "__main__":
    main()
