# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C ends every job within 0.2 s, and progress can.

The bound is on processor time of this process after the signal: on a busy machine the wall clock
also counts what others do.
"""

import os
import signal
import threading
import time
import unittest

import limber

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BOUND = 0.2  # [s]


def data(name):
    return os.path.join(ROOT, "data", name)


def stop_after(job, delay):
    """Sends Ctrl-C `delay` seconds of processor time into a job, which begins again where it is
    over before. Returns (processor, wall) seconds from the signal to KeyboardInterrupt."""
    sent = []

    def interrupt(begun):
        while time.process_time() - begun < delay:
            time.sleep(0.001)
        sent.append((time.process_time(), time.perf_counter()))
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt, args=(time.process_time(),))
    thread.start()
    try:
        for _ in range(1000):
            job()
    except KeyboardInterrupt:
        now = time.process_time(), time.perf_counter()
        thread.join()
        return now[0] - sent[0][0], now[1] - sent[0][1]
    raise AssertionError("the job was not stopped")


def jobs():
    """Each job by its name, on inputs that take it a while."""
    walk, run = limber.read(data("clips/walk.bvh")), limber.read(data("clips/run.bvh"))
    long = limber.combine([walk] * 4).clip
    take = limber.markers(long, noise=0.001, gap_share=0.1, seed=1).take
    push = [limber.Push("chest", at=0.3, impulse=(5, 0, 0))]
    world = limber.World()
    for i in range(40):
        world.add_body(shape=limber.Sphere(0.1), position=(0.01 * i, 0.3 * i, 0), collides=True)
    world.add_floor()
    return {
        "solve": lambda: limber.solve(take),
        "solve physical": lambda: limber.solve(take, method="physical"),
        "retarget": lambda: limber.retarget(long, to="fat_man"),
        "retarget dynamic": lambda: limber.retarget(walk, to="fat_man", dynamic=True),
        "edit": lambda: limber.edit(long, push),
        "combine": lambda: limber.combine([long, run, long, run]),
        "measure": lambda: limber.measure(long),
        "markers": lambda: limber.markers(long, noise=0.001, gap_share=0.2),
        "simulate": lambda: limber.simulate("limited_forces"),
        "batch": lambda: limber.batch(lambda clip: limber.edit(clip, push), [long] * 8),
        "World.run": lambda: world.run(10.0),
        "Stage.run": lambda: limber.Stage(walk).run(4.0),
    }


class ControlC(unittest.TestCase):
    def test_every_job_stops_in_time(self):
        for name, job in jobs().items():
            for delay in (0.05, 0.35, 0.8):
                with self.subTest(f"{name} after {delay} s"):
                    processor, wall = stop_after(job, delay)
                    print(f"{name:18} after {delay:4} s: {processor:.3f} s of processor, "
                          f"{wall:.3f} s", flush=True)
                    # Every core of a batch counts.
                    cores = (os.cpu_count() or 1) if name == "batch" else 1
                    self.assertLess(processor, BOUND * cores)

    def test_after_it_jobs_work_again(self):
        clip = limber.read(data("clips/march.bvh"))
        stop_after(lambda: limber.edit(clip, []), 0.01)
        self.assertEqual(len(limber.edit(clip, []).clip), len(clip))


class Progress(unittest.TestCase):
    def test_progress_rises_and_false_stops(self):
        clip = limber.read(data("clips/walk.bvh"))
        push = [limber.Push("chest", at=0.3, impulse=(5, 0, 0))]
        shares = []
        limber.edit(clip, push, progress=shares.append)
        self.assertEqual(shares, sorted(shares))
        self.assertEqual(shares[-1], 1.0)
        with self.assertRaisesRegex(limber.InputError, "stopped"):
            limber.edit(clip, push, progress=lambda share: False)

    def test_what_progress_raises_comes_out(self):
        def fail(share):
            raise KeyError("mine")

        with self.assertRaises(KeyError):
            limber.solve(limber.read(data("takes/march.c3d")), progress=fail)

    def test_a_bar_of_tqdm_goes_to_its_end(self):
        try:
            import tqdm.auto
        except ImportError:
            self.skipTest("tqdm is not installed")
        bars = []

        class Bar(tqdm.auto.tqdm):
            def __init__(self, *arguments, **named):
                super().__init__(*arguments, **named, disable=False, file=open(os.devnull, "w"))
                self.closed_at = None
                bars.append(self)

            def close(self):
                self.closed_at = self.n
                super().close()

        before, tqdm.auto.tqdm = tqdm.auto.tqdm, Bar
        try:
            limber.edit(limber.read(data("clips/march.bvh")), [], progress=True)
        finally:
            tqdm.auto.tqdm = before
        self.assertEqual([bar.closed_at for bar in bars], [100])

    def test_the_lock_is_free_while_a_job_runs(self):
        clip = limber.read(data("clips/walk.bvh"))
        count = [0]
        done = threading.Event()

        def tick():
            while not done.is_set():
                count[0] += 1
                time.sleep(0.001)

        thread = threading.Thread(target=tick)
        thread.start()
        limber.edit(clip, [limber.Push("chest", at=0.3, impulse=(5, 0, 0))])
        done.set()
        thread.join()
        self.assertGreater(count[0], 3)

    def test_other_threads_go_on_while_a_world_runs(self):
        world = limber.World()
        for i in range(20):
            world.add_body(shape=limber.Sphere(0.1), position=(0.01 * i, 0.3 * i, 0),
                           collides=True)
        world.add_floor()
        seen = []
        done = threading.Event()

        def watch():
            while not done.is_set():
                seen.append(world.time)
                time.sleep(0.005)

        thread = threading.Thread(target=watch)
        thread.start()
        while len(set(seen)) < 5 and world.time < 200.0:
            world.run(10.0)
        done.set()
        thread.join()
        self.assertGreaterEqual(len(set(seen)), 5)

    def test_batch_keeps_the_order_and_the_errors(self):
        names = ["clips/walk.bvh", "clips/none.bvh", "clips/run.bvh"]
        shares = []
        results = limber.batch(lambda name: limber.measure(limber.read(data(name))), names,
                               progress=shares.append)
        self.assertIsInstance(results[0], limber.Measured)
        self.assertIsInstance(results[1], limber.InputError)
        self.assertIsInstance(results[2], limber.Measured)
        self.assertEqual(shares[-1], 1.0)
        self.assertEqual(limber.batch(len, []), [])


if __name__ == "__main__":
    unittest.main()
