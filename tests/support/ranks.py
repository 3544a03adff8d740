"""How the command is run as several processes: by each launcher of MPI that is here and that the command speaks."""
import os
import pathlib
import shutil
import subprocess

from support.command import COMMAND, Run, argument_of, environment, usual_signals

# Ranks share one machine here, and tests may run as root in a container.
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_plm_rsh_agent": "",
    # Ranks are more than cores here: who waits lets others work.
    "OMPI_MCA_mpi_yield_when_idle": "1",
}


class Launcher:
    def __init__(self, name, program, options, rank_variable):
        self.name, self.program, self.options, self.rank_variable = name, program, options, rank_variable

    def missing(self):
        """Why it cannot be used here, or nothing."""
        if shutil.which(self.program) is None:
            return f"there is no {self.program}"
        if not (pathlib.Path(COMMAND).parent / f"cda_{self.name}.so").exists():
            return f"cda was built without {self.name}"
        return ""

    def line(self, *parts):
        """The command line for parts like (2, [argument, ...]) or (1, [argument, ...], [command in front])."""
        line = [self.program, *self.options]
        for i, (ranks, arguments, *wrapper) in enumerate(parts):
            line += [":"] * (i > 0) + ["-n", str(ranks), *(wrapper[0] if wrapper else []), COMMAND]
            line += map(argument_of, arguments)
        return line

    def start(self, *parts, cwd, env=None):
        return subprocess.Popen(
            self.line(*parts),
            cwd=cwd,
            env=environment({**ENVIRONMENT, **(env or {})}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=usual_signals,
        )

    def run(self, *parts, cwd, env=None, timeout=300):
        process = self.start(*parts, cwd=cwd, env=env)
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
        return Run(subprocess.CompletedProcess(process.args, process.returncode, out, err))

    def process_of(self, rank, launched):
        """The process that is this rank, once it is there: a descendant of the launcher with its number."""
        family = {launched.pid}
        for entry in sorted((e for e in os.listdir("/proc") if e.isdigit()), key=int):
            try:
                status = pathlib.Path("/proc", entry, "status").read_text()
                variables = pathlib.Path("/proc", entry, "environ").read_bytes().split(b"\0")
                program = os.readlink(f"/proc/{entry}/exe")
            except OSError:
                continue
            if int(status.split("PPid:")[1].split()[0]) not in family:
                continue
            family.add(int(entry))
            if program == COMMAND and f"{self.rank_variable}={rank}".encode() in variables:
                return int(entry)
        return None


LAUNCHERS = [
    Launcher("openmpi", "mpirun.openmpi", ["--oversubscribe", "--quiet"], "OMPI_COMM_WORLD_RANK"),
    Launcher("mpich", "mpirun.mpich", [], "PMI_RANK"),
]
