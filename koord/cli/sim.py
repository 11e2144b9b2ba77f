"""`koord sim`: simulate placements, compare configurations, make up traces."""

import sys
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from koord._core import PlacementError
from koord.sim import configuration, experiment, manifests, report, trace
from koord.sim.generate import generate
from koord.sim.plot import svg

BAD_INPUT = 2
TABLES = {".csv"}


class Output(StrEnum):
    """How results are printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


class Inputs:
    """Nodes, arrivals by seed and the workload, from whichever kind of files were given."""

    def __init__(self, nodes: Path, pods: Path, inflate: float) -> None:
        self.inflate = inflate
        if nodes.suffix in TABLES:
            rows = trace.read_nodes(nodes)
            self.nodes = [manifests.node_object(row) for row in rows]
            self.capacity_milli = sum(row.gpus for row in rows) * trace.WHOLE_GPU_MILLI
        else:
            objects = manifests.read_objects(nodes, "Node")
            self.nodes = [manifests.encoded(each) for each in objects]
            self.capacity_milli = sum(manifests.gpu_capacity_milli(each) for each in objects)
        self.rows = trace.read_pods(pods) if pods.suffix in TABLES else []
        self.objects = [] if self.rows else manifests.arrivals_of_objects(manifests.read_objects(pods, "Pod"))
        kinds = [manifests.pod_object(row, "kind") for row in self.rows] or [each.raw for each in self.objects]
        self.workload = list(Counter(kinds).items())

    def arrivals(self, seed: int) -> list[manifests.Arrival]:
        """The pods in the order of this seed; pods from manifests arrive in file order."""
        if not self.rows:
            return self.objects
        order = trace.arrivals(self.rows, self.capacity_milli, self.inflate, seed)
        names = [f"{at:06}-{pod.name}" for at, pod in enumerate(order)]
        return [
            manifests.Arrival(f"{manifests.NAMESPACE}/{name}", manifests.pod_object(pod, name), pod.demand_milli)
            for name, pod in zip(names, order, strict=True)
        ]


def sim(
    nodes: Annotated[Path, typer.Option(help="Nodes: CSV of the trace format, or manifests (YAML, JSON).")],
    pods: Annotated[Path, typer.Option(help="Pods: CSV of the trace format, or manifests (YAML, JSON).")],
    inflate: Annotated[float, typer.Option(min=0.0, help="Arriving GPU demand over capacity.")] = 1.3,
    seed: Annotated[int, typer.Option(help="Seed of the order of arrival.")] = 42,
    runs: Annotated[int, typer.Option(min=1, help="Number of seeds, from --seed on.")] = 1,
    config: Annotated[
        list[str] | None,
        typer.Option(help=f"KubeSchedulerConfiguration file or one of: {', '.join(configuration.POLICIES)}."),
    ] = None,
    output: Annotated[Output, typer.Option(help="How to print the result.")] = Output.TABLE,
    plot: Annotated[Path | None, typer.Option(help="Write the allocation curves to this SVG file.")] = None,
) -> None:
    """Place arriving pods on an empty cluster with the scheduler's own engine; compare configurations."""
    try:
        configurations = [configuration.load(name) for name in config or [configuration.DEFAULT]]
        inputs = Inputs(nodes, pods, inflate)
        found = experiments(inputs, configurations, range(seed, seed + runs))
    except (trace.TraceError, PlacementError) as error:
        print(f"koord sim: {error}", file=sys.stderr)
        raise typer.Exit(BAD_INPUT) from error
    if plot is not None:
        names = [each.name for each in configurations]
        curves = {name: report.mean_points([run for run in found if run.configuration == name]) for name in names}
        plot.write_text(svg(curves))
    match output:
        case Output.JSON:
            print(report.as_json(found).decode())
        case Output.CSV:
            print(report.as_csv(found), end="")
        case Output.TABLE:
            Console().print(report.as_table(found))


def experiments(
    inputs: Inputs, configurations: Sequence[configuration.Configuration], seeds: range
) -> list[report.Run]:
    """Run every configuration on every seed, with a progress bar on a terminal."""
    found: list[report.Run] = []
    console = Console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal, transient=True) as bar:
        for each in configurations:
            for seed in seeds:
                arrivals = inputs.arrivals(seed)
                task = bar.add_task(f"{each.name} seed {seed}", total=len(arrivals))
                outcome = experiment.run(
                    each,
                    inputs.nodes,
                    arrivals,
                    inputs.workload,
                    inputs.capacity_milli,
                    progress=lambda done, task=task: bar.update(task, completed=done),
                )
                found.append(report.Run(each.name, seed, outcome))
                bar.remove_task(task)
    return found


def sim_generate(
    folder: Annotated[Path, typer.Argument(help="Where nodes.csv and pods.csv go.")],
    nodes: Annotated[int, typer.Option(min=1, help="Number of nodes.")] = 50,
    pods: Annotated[int, typer.Option(min=1, help="Number of pods.")] = 400,
    seed: Annotated[int, typer.Option(help="The same seed gives the same files.")] = 1,
) -> None:
    """Make up a trace: mixed GPU nodes and a workload of shares, whole GPUs and CPU-only pods."""
    for path in generate(folder, nodes=nodes, pods=pods, seed=seed):
        print(path)


app = typer.Typer(add_completion=False, rich_markup_mode=None)
app.command()(sim)
generate_app = typer.Typer(add_completion=False, rich_markup_mode=None)
generate_app.command()(sim_generate)
