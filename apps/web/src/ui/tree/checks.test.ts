import { expect, it } from "vitest";
import { checkStates, toggleCheck, type Checked } from "./checks.ts";
import { rowsOf } from "./rows.ts";

const nodes = [
  { id: "city", parent: null, title: "City", childCount: 2 },
  { id: "east", parent: "city", title: "East", childCount: 2 },
  { id: "west", parent: "city", title: "West", childCount: 9 },
  { id: "h1", parent: "east", title: "House 1", childCount: 0 },
  { id: "h2", parent: "east", title: "House 2", childCount: 0 },
];
const none: Checked = new Set();
const states = (checked: Checked) => nodes.map(({ id }) => checkStates(checked, nodes)(id)).join(" ");

it("TREE-006 checking a node checks all below, also those checked before", () => {
  const checked = toggleCheck(toggleCheck(none, "h1", nodes), "city", nodes);

  expect([...checked]).toEqual(["city"]);
  expect(states(checked)).toBe("all all all all all");
});

it("TREE-008 nodes above a checked one are partly checked", () => {
  expect(states(toggleCheck(none, "h1", nodes))).toBe("some some none all none");
});

it("TREE-007 unchecking a node unchecks all below; the rest of a checked branch stays", () => {
  const all = toggleCheck(none, "city", nodes);

  expect(states(toggleCheck(all, "east", nodes))).toBe("some none all none none");
  expect(states(toggleCheck(all, "h1", nodes))).toBe("some some all none all");
  expect(states(toggleCheck(all, "city", nodes))).toBe("none none none none none");
});

it("only open nodes are followed by their children, and one whose children are not loaded is loading", () => {
  const rows = rowsOf(nodes, (id) => id !== "east");

  expect(rows.map(({ node, level, place, neighbours }) => [node.id, level, place, neighbours])).toEqual([
    ["city", 1, 1, 1],
    ["east", 2, 1, 2],
    ["west", 2, 2, 2],
  ]);
  expect(rows.map(({ isLoading }) => isLoading)).toEqual([false, false, true]);
});
