"""What a case is: a function of cases/*.py, the world it needs, and its name in words."""
import importlib.util
import os

CASES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cases")


class Case:
    """One function played once: in its own world, or on the machine itself when it tests the world."""

    def __init__(self, function, variant, product, reader, enrolled, inside):
        self.function, self.variant, self.inside = function, variant, inside
        self.product = getattr(variant, "product", None) or product
        self.reader, self.enrolled = reader, enrolled
        self.file = os.path.basename(function.__code__.co_filename).removesuffix(".py")
        words = function.__name__.replace("_", " ")
        self.name = f"{self.file}: {words}" + (f" [{variant}]" if variant is not None else "")

    @property
    def world(self):
        """The options of `world` that it needs."""
        options = ["--product", self.product, "--reader", self.reader]
        return options if self.enrolled else options + ["--bare"]

    def play(self, *world):
        self.function(*world, *([] if self.variant is None else [self.variant]))


def case(over=(None,), product="exec", reader="plain", enrolled=True, inside=True):
    """Registers a function, once for each variant it is to be played over."""

    def register(function):
        function.cases = [Case(function, variant, product, reader, enrolled, inside) for variant in over]
        return function

    return register


def load(file):
    """The cases of one file, in the order of the file."""
    spec = importlib.util.spec_from_file_location("cases_" + file, os.path.join(CASES, file + ".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [each for value in vars(module).values() for each in getattr(value, "cases", [])]


def load_all():
    # Calibration first: nothing else means anything before it passes.
    files = sorted(name[:-3] for name in os.listdir(CASES) if name.endswith(".py"))
    files.sort(key=lambda name: name != "calibration")
    return [each for file in files for each in load(file)]
