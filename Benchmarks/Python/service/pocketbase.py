"""Figures of PocketBase, measured once by the author of the goals, on another machine with two cores. It cannot be installed from a package
registry, so that it is not measured here. A goal that is a multiple of one of these figures holds for that machine only.
"""

# Requests a second, with 1 and with 16 connections.
QUERY_OF_20 = {1: 800, 16: 1_300}
QUERY_SORTED = {1: 450, 16: 680}
CREATE_DURABLE = {1: 850, 16: 1_150}
# Batches of 200 records a second.
BATCH = 7.5
# MB a second, not durable.
UPLOAD = 141
