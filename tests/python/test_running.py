"""While the library computes: other threads, signals, forks."""
import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import joblib
import numpy as np
import pytest

import cda

HOURS = 1_000_000
pytestmark = pytest.mark.filterwarnings("ignore::cda.Warning")


@pytest.fixture(scope="module")
def long_tables():
    """Searching these by pearson from HOURS starts takes hours."""
    x, y, _ = cda.synthesise("sources", n=3000, k=2500, seed=1)
    return x, y


def interrupted(call):
    """Sends this process an interrupt once the call is under way, which by itself would take hours."""

    def send():
        time.sleep(0.4)
        os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=send)
    sender.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
    finally:
        sender.join()


def test_other_threads_go_on_while_a_fit_computes(long_tables):
    steps = 0
    done = threading.Event()

    def count():
        nonlocal steps
        while not done.is_set():
            steps += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    model = cda.CDA(method="CDA_P", n_components=2, starts=HOURS, time_limit=1.0)
    counter.start()
    try:
        model.fit(*long_tables)
    finally:
        done.set()
        counter.join()
    assert steps > 10  # with the interpreter's lock held it would be one or two


def test_an_interrupt_ends_a_fit_and_leaves_no_trace(long_tables):
    model = cda.CDA(method="CDA_P", n_components=5, starts=HOURS)
    interrupted(lambda: model.fit(*long_tables))
    assert not hasattr(model, "model_")
    earlier = cda.CDA(method="CDA_M", n_components=1).fit(*long_tables)
    before = earlier.model_.to_json()
    earlier.set_params(method="CDA_P", n_components=5, starts=HOURS)
    interrupted(lambda: earlier.fit(*long_tables))
    assert earlier.model_.to_json() == before


def test_an_interrupt_ends_a_test_and_a_match(long_tables):
    model = cda.CDA(n_components=2).fit(*long_tables)
    interrupted(lambda: model.test(*long_tables, bootstrap=HOURS))
    interrupted(lambda: cda.match(*long_tables, bootstrap=HOURS))
    assert model.model_.evidence() is None


def test_fits_in_many_threads_at_once_are_the_same(sources):
    expected = cda.CDA(n_components=1).fit(*sources).model_.to_json()
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: cda.CDA(n_components=1).fit(*sources).model_.to_json(), range(8)))
    assert found == [expected] * 8


def fitted_json(tables):
    return cda.CDA(n_components=1).fit(*tables).model_.to_json()


def test_a_process_forked_after_a_fit_can_fit(sources):
    expected = fitted_json(sources)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(fitted_json, [sources] * 3).get(timeout=120) == [expected] * 3


def test_processes_of_joblib_fit_the_same(sources):
    expected = fitted_json(sources)
    found = joblib.Parallel(n_jobs=2)(joblib.delayed(cda.CDA(n_components=1).fit)(*sources) for _ in range(2))
    assert [model.model_.to_json() for model in found] == [expected] * 2


def test_a_divergence_in_python_is_interrupted_too(long_tables):
    def slow(x, y, gradient):
        gap = x.mean() - y.mean()
        return (gap**2, np.full(len(x), 2 * gap / len(x)), np.full(len(y), -2 * gap / len(y))) if gradient else gap**2

    cda.add_divergence("test_slow", slow)
    model = cda.CDA(method="CDA_Q", divergence="test_slow", starts=HOURS, n_components=3)
    interrupted(lambda: model.fit(*long_tables))


def test_an_interrupt_by_the_terminal_ends_a_script():
    code = """
import cda, sys
x, y, _ = cda.synthesise("sources", n=3000, k=2500)
print("fitting", flush=True)
cda.CDA(method="CDA_P", n_components=5, starts=1_000_000).fit(x, y)
"""
    script = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert script.stdout.readline() == "fitting\n"
    time.sleep(0.3)
    script.send_signal(signal.SIGINT)
    _, errors = script.communicate(timeout=60)
    assert errors.rstrip().endswith("KeyboardInterrupt")
    assert script.returncode != 0
