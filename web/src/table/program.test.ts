import { expect, test } from "vitest";
import { commandFor, freeName } from "./program";

test("a program is offered a name that is free at the table", () => {
  expect(freeName("Program", ["Ada", "", "Program"])).toBe("Program");
  expect(freeName("Program", ["Ada", "program (bot)", ""])).toBe("Program 2");
  expect(freeName("Program", ["Program 2 (bot)", "Program (bot)"])).toBe("Program 3");
});

test("the command has the server, the table and the token", () => {
  expect(commandFor("https://tarok.example", "0123456789abcdef", "-x_1")).toBe(
    'ULTIMO_TOKEN=-x_1 ultimo sit --url https://tarok.example --table 0123456789abcdef --program "…"',
  );
});
