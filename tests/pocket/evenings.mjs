// Plays the sessions of `evenings.py` in Pyodide: node evenings.mjs PYODIDE WHEEL PACKAGE SCRIPT FIRST END
import { readFileSync } from "node:fs";

const [pyodide, wheel, packed, script, first, end] = process.argv.slice(2);
const { loadPyodide } = await import(pyodide);
const python = await loadPyodide();
const read = (path) => new Uint8Array(readFileSync(path));
python.unpackArchive(read(wheel), "wheel");
python.unpackArchive(read(packed), "zip", { extractDir: "/house" });
python.FS.writeFile("/house/evenings.py", read(script));
python.runPython(`
import sys
sys.path.insert(0, "/house")
import evenings
for line in evenings.told(${Number(first)}, ${Number(end)}):
    print(line)
`);
