"""kills: kinfolkd is killed while clients write.

After each restart, everything that was acknowledged is there, and nothing else. A request whose answer did not arrive is there as a whole or
not at all. People who have signed in still are. The integrity check passes. (A kill loses nothing with `synchronous = OFF` either; the
power-cuts of Tests/Torture are about that.)
"""

from __future__ import annotations

import time

from scene import Experiment, wait_until
from writers import Newcomers, check_people, join, make_writers, total


def run(experiment: Experiment) -> None:
    report, dice = experiment.report, experiment.dice
    rounds = 2 if experiment.is_short else 30
    scene = experiment.scene()
    writers = make_writers(scene, 4 if experiment.is_short else 6, str(dice.random()))
    people = []
    acknowledged = doubts = 0
    for turn in range(rounds):
        if turn > 0:
            writers = [writer.clone() for writer in writers]
        newcomers = Newcomers(scene, f"new{turn}-", 0.1)
        threads = [*writers, newcomers]
        for thread in threads:
            thread.start()
        goal = dice.randrange(5, 30 if experiment.is_short else 200)
        wait_until(lambda writers=writers, goal=goal: total(writers) >= goal or scene.is_down)
        report.expect(total(writers), "nothing was acknowledged in 60 s")
        time.sleep(dice.random() * 0.02)
        report.expect(not scene.is_down, f"the service ended by itself: {scene.service.log.all[-3:]}")
        scene.kill9()
        newcomers.is_over.set()
        join(scene, threads)
        acknowledged += total(writers)
        doubts += sum(writer.doubt is not None for writer in writers)
        people += newcomers.signed_in
        scene.restart()
        for writer in writers:
            writer.compare(downloads=2 if experiment.is_short else 10)
        check_people(scene, newcomers.signed_in, again=1)
        scene.check_store()
    check_people(scene, people, again=0)
    report.expect(acknowledged > 0, "nothing was acknowledged")
    scene.stop_and_expect_0()
    scene.check_store()
    experiment.row(f"{rounds} kills, {len(writers)} clients", f"{acknowledged} kept, {doubts} in doubt, {len(people)} people")
