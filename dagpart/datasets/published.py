"""Hashes of graphs that every dagpart must make, on every machine, by `dagpart.datasets.cache.digest`."""

DIGESTS = {
    "polybench:2mm:ni=10:nj=20:nk=30:nl=40:weights=unit": "1442b4ec6907880c05350fbbf4d6905f",
    "polybench:3mm:ni=10:nj=20:nk=30:nl=40:nm=50:weights=unit": "4db25a3cb412dd919a439c484c6cdb16",
    "polybench:adi:tsteps=20:n=30:weights=unit": "e4596a2be01676c6c8b105eab4f2bcd7",
    "polybench:atax:m=210:n=230:weights=unit": "d2012be6da079383b3d2d0e55d087107",
    "polybench:covariance:m=50:n=70:weights=unit": "547335cd20cb72112e465154b5898d08",
    "polybench:doitgen:nq=10:nr=15:np=20:weights=unit": "ce25f176ccf41c955c4d3571e3dcde14",
    "polybench:durbin:n=250:weights=unit": "01796810563c17b831b3d02bdbe9bc86",
    "polybench:fdtd-2d:tmax=20:nx=30:ny=40:weights=unit": "468e99dc6202330158f14d794f0a3b70",
    "polybench:gemm:ni=60:nj=70:nk=80:weights=unit": "cc3660d25ecd66d39f5a445c8553df68",
    "polybench:gemver:n=120:weights=unit": "223ac8188cfba850813f5988b4974848",
    "polybench:gesummv:n=250:weights=unit": "6f08db1178acff9b13b486ec5d4b5db7",
    "polybench:heat-3d:tsteps=20:n=10:weights=unit": "1146688cbcbaeedc1db610820e9ac361",
    "polybench:jacobi-1d:tsteps=100:n=400:weights=unit": "82519582acad7de353360b452d7313cb",
    "polybench:jacobi-2d:tsteps=20:n=30:weights=unit": "9aaf0b0a029a57c9125b7ba17f678f3e",
    "polybench:lu:n=80:weights=unit": "640fde889e2c2e6f6000574549220637",
    "polybench:ludcmp:n=80:weights=unit": "3cfa06475cd8f5122df3c7609c3b0134",
    "polybench:mvt:n=200:weights=unit": "6ed870c4c6d37b5821e041c68320f8ed",
    "polybench:seidel-2d:tsteps=20:n=40:weights=unit": "afe9f6f7ade05102a68abcb00797ad2e",
    "polybench:symm:m=40:n=60:weights=unit": "4f51a3e2d29149042605c8d292006587",
    "polybench:syr2k:m=20:n=30:weights=unit": "d35ff298858788db027276173061f202",
    "polybench:syrk:m=60:n=80:weights=unit": "bd6702b44a78feffb8b4c8d9e148d1ae",
    "polybench:trisolv:n=400:weights=unit": "afdbbae30db57bff1fd2f0d143f82ef3",
    "polybench:trmm:m=60:n=80:weights=unit": "fbbd394408c86a4c4dc80949b8f59322",
}
"""By the name of the data set with all its parameters."""
