"""Follows the recipes as a reader would, and then with a mistake in the backend, which has to make the tests fail."""
from __future__ import annotations

import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import yaml

from recipe import PAGES, PROGRAM, TOP, Recipe, Workplace

RIGHT, MISTAKE = "Welcome", "Welcom"
# Debian's npm brings hundreds of packages. To install a folder, it makes this link.
NO_NPM = ['npm() { mkdir -p node_modules && ln -s "${@: -1}" node_modules/pushpit; }']


def status() -> str:
    """What git would add. Empty in an archive without git."""
    if not (TOP / ".git").exists():
        return ""
    return subprocess.run(["git", "status", "--porcelain", "--ignored"], cwd=TOP, capture_output=True, text=True, check=True).stdout


class Case(unittest.TestCase):
    def setUp(self) -> None:
        before = status()
        self.addCleanup(lambda: self.assertEqual(status(), before, "the recipe leaves files in the checkout"))

    def workplace(self, name: str, *programs: str) -> tuple[Recipe, Workplace]:
        for program in programs:
            if not shutil.which(program):
                self.skipTest(f"there is no {program}")
        recipe = Recipe.read(name)
        return recipe, self.enterContext(Workplace(recipe))

    def follow(self, name: str, backend: str, passed: str, *programs: str) -> None:
        """`passed` matches what the test runner prints when all tests have passed."""
        recipe, place = self.workplace(name, *programs)
        if name in ("python-pytest", "web-push"):
            make_wheel(place)
        code, text = place.run("\n".join([*(NO_NPM if not shutil.which("npm") else []), *recipe.commands]))
        self.assertEqual(code, 0, text)
        self.assertRegex(text, passed)
        self.assertNotRegex(text, r"\b(skipped|SKIP)\b(?! 0)")
        place.change(backend, RIGHT, MISTAKE)
        code, text = place.run(recipe.commands[-1])
        self.assertNotEqual(code, 0, text)
        self.assertIn(MISTAKE, text, "the failure shows what was pushed instead")


def make_wheel(place: Workplace) -> None:
    """The wheel that scripts/package makes."""
    maker = TOP / "clients/python/build_wheel.py"
    version = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    options = ["--binary", str(PROGRAM), "--version", version, "--output", str(place.home / "build")]
    subprocess.run([sys.executable, "-B", str(maker), *options], check=True, capture_output=True)


class Languages(Case):
    def test_python(self) -> None:
        self.follow("python-pytest", "welcome.py", r"3 passed", "python3")

    def test_web_push(self) -> None:
        self.follow("web-push", "welcome.py", r"3 passed", "python3", "chromium")

    def test_node(self) -> None:
        self.follow("node", "welcome.js", r"(?ms)^(?:#|ℹ) pass 1$.*^(?:#|ℹ) pass 6$", "node")

    def test_go(self) -> None:
        self.follow("go", "welcome.go", r"(?m)^ok\s+example\.com/shop\b", "go")

    def test_php(self) -> None:
        self.follow("php", "welcome.php", r"(?m)^3 passed$", "php")

    def test_ruby(self) -> None:
        self.follow("ruby", "welcome.rb", r"3 runs, .* 0 failures, 0 errors", "ruby")

    def test_any_language(self) -> None:
        recipe, place = self.workplace("README", "curl")
        code, text = place.run("\n".join(recipe.commands))
        self.assertEqual(code, 0, text)
        self.assertIn('failures="0"', (place.folder / "pushpit.xml").read_text(encoding="utf-8"))
        place.change("send.sh", "-H 'authorization: Bearer any' ", "")
        code, text = place.run("\n".join(recipe.commands))
        self.assertEqual((code, len(re.findall(r"^pushpit: expectation \d\b.*: not met", text, re.MULTILINE))), (1, 2), text)
        place.write("send.sh", recipe.files["send.sh"])
        place.change("send.sh", RIGHT, MISTAKE)
        code, text = place.run("\n".join(recipe.commands))
        self.assertEqual(code, 1, text)
        self.assertIn(MISTAKE, text)

    def test_the_client_for_java(self) -> None:
        recipe, place = self.workplace("java-testcontainers", "javac", "java")
        for name in recipe.files:
            if name != "Pushpit.java":
                (place.folder / name).unlink()
        place.write("Main.java", MAIN)
        code, text = place.run("javac *.java && pushpit exec --api-token test -- java Main")
        self.assertEqual((code, "done" in text.splitlines()), (0, True), text)


# Uses every method of the class in the recipe, with the trust store that every gateway has.
MAIN = """
import java.net.URI;
import java.net.http.*;
import java.nio.file.Path;

class Main {
    public static void main(String[] arguments) throws Exception {
        String address = System.getenv("PUSHPIT_URL").replace("http://127.0.0.1", "https://localhost");
        Pushpit pushpit = new Pushpit(URI.create(address), "test", Path.of(System.getenv("PUSHPIT_CERTS"), "ca.p12"));
        pushpit.call("POST", "/devices", "{\\"platform\\":\\"android\\",\\"app\\":\\"com.example.app\\"}");
        pushpit.expect("{\\"match\\":{},\\"never\\":true,\\"within\\":\\"0s\\"}");
        HttpClient trusting = HttpClient.newBuilder().sslContext(pushpit.trust()).build();
        trusting.send(HttpRequest.newBuilder(pushpit.url.resolve("/livez")).build(), HttpResponse.BodyHandlers.discarding());
        try {
            pushpit.expect("{\\"within\\":\\"0s\\"}");
        } catch (AssertionError error) {
            System.out.println("done");
        }
    }
}
"""


class Index(unittest.TestCase):
    def test_the_index_has_every_page(self) -> None:
        named = set(re.findall(r"^\| \[[^]]+\]\(([\w-]+\.md)\) \|", (PAGES / "README.md").read_text(encoding="utf-8"), re.MULTILINE))
        self.assertEqual(named, {path.name for path in PAGES.glob("*.md")} - {"README.md"})

    def test_pages_that_no_test_runs_say_so(self) -> None:
        for path in PAGES.glob("*.md"):
            is_run = path.stem in ("README", "python-pytest", "web-push", "node", "go", "php", "ruby")
            self.assertEqual("ot run here" in path.read_text(encoding="utf-8"), not is_run or path.stem == "README", path.name)

    def test_every_yaml_block_can_be_read(self) -> None:
        for path in PAGES.glob("*.md"):
            for name, text in Recipe.read(path.stem).files.items():
                if name.endswith((".yml", ".yaml")):
                    self.assertIsInstance(yaml.safe_load(text), dict, name)


if __name__ == "__main__":
    unittest.main()
