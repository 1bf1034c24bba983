import { expect, test } from "vitest";
import { read } from "./people";

test("people are read from lines, however name, team and club are parted", () => {
  expect(read("Karen; HjT 1; HjT\r\n\n Bo\tVLK 2\tVLK\nIda, , FFT\nPer\n ; nobody")).toEqual([
    { name: "Karen", team: "HjT 1", club: "HjT" },
    { name: "Bo", team: "VLK 2", club: "VLK" },
    { name: "Ida", team: "", club: "FFT" },
    { name: "Per", team: "", club: "" },
  ]);
});

test("a comma in a name stays where semicolons part", () => {
  expect(read("Jensen, Ole; Hold 1")).toEqual([{ name: "Jensen, Ole", team: "Hold 1", club: "" }]);
});
