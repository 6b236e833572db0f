"""The measurements of scripts/against-openspiel. OpenSpiel is timed in CPU seconds of one core, Doorcard in
seconds on the wall with one thread, which are no fewer."""

import json
import resource
import subprocess
import sys
import time

import pyspiel

TARGET = 1e-3


def doorcard(program, *arguments):
    """Runs `doorcard solve leduc`; returns its JSON and the CPU seconds of the whole process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [program, "--json", "--threads", "1", "solve", "leduc", *arguments]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(output), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def openspiel_cfr_plus(game):
    """CPU seconds and iterations of OpenSpiel's C++ CFR+ to the target; measuring is not counted."""
    solver, spent, iterations = pyspiel.CFRPlusSolver(game), 0.0, 0
    while True:
        start = time.process_time()
        for _ in range(10):
            solver.evaluate_and_update_policy()
        spent += time.process_time() - start
        iterations += 10
        if iterations >= 300 and pyspiel.exploitability(game, solver.average_policy()) <= TARGET:
            return spent, iterations


def openspiel_external(game, seconds):
    """Iterations a CPU second of OpenSpiel's C++ external sampling, and the exploitability at the end."""
    solver, iterations = pyspiel.ExternalSamplingMCCFRSolver(game, 1), 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        for _ in range(1000):
            solver.run_iteration()
        iterations += 1000
    rate = iterations / (time.process_time() - start)
    return rate, pyspiel.exploitability(game, solver.average_policy())


def main():
    program, seconds = sys.argv[1], float(sys.argv[2])
    game = pyspiel.load_game("leduc_poker")

    theirs, their_iterations = openspiel_cfr_plus(game)
    print(f"Leduc to an exploitability of {TARGET} chips, one core")
    print(f"  OpenSpiel CFR+    {theirs:9.3f} s  {their_iterations:6} iterations")
    for algorithm in ("cfr-plus", "dcfr", "pcfr-plus"):
        ours, process = doorcard(program, "--algorithm", algorithm, "--until", str(TARGET), "--iterations", "100000")
        spent = ours["seconds"]
        print(
            f"  doorcard {algorithm:9}{spent:9.3f} s  {ours['iterations']:6} iterations  {theirs / spent:7.0f} times faster"
            f" ({theirs / process:.0f} times with start and measuring, {process:.3f} s)"
        )

    rate, exploitability = openspiel_external(game, seconds)
    ours, _ = doorcard(program, "--algorithm", "external", "--seconds", str(seconds))
    own_rate = ours["iterations"] / ours["seconds"]
    print(f"External sampling on Leduc for {seconds:g} s, one core; an iteration is one traversal for each player")
    print(f"  OpenSpiel  {rate:12,.0f} iterations/s  exploitability {exploitability:.4f}")
    print(f"  doorcard   {own_rate:12,.0f} iterations/s  exploitability {ours['exploitability']:.4f}")
    print(f"  {own_rate / rate:.0f} times the iterations, and so the nodes, a second")


if __name__ == "__main__":
    main()
