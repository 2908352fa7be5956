import { expect, test } from "vitest";
import { createTopicTree } from "./topicTree.ts";

function matching(topic: string, filters: readonly string[]): string[] {
  const tree = createTopicTree<string>();
  for (const filter of filters) tree.add(filter, filter);
  return [...tree.match(topic)].sort();
}

test("filters match topics as specified in MQTT 3.1.1 (4.7)", () => {
  const filters = ["c7/#", "c7/+", "c7/a/+", "c7/a/b", "c7/+/b", "c7", "#", "+/a/#", "c8/#", "c7/a/b/c"];

  expect(matching("c7/a/b", filters)).toEqual(["#", "+/a/#", "c7/#", "c7/+/b", "c7/a/+", "c7/a/b"]);
  expect(matching("c7", filters)).toEqual(["#", "c7", "c7/#"]);
  expect(matching("c7/", filters)).toEqual(["#", "c7/#", "c7/+"]);
  expect(matching("$SYS/x/heartbeat", ["#", "+/x/heartbeat", "$SYS/+/heartbeat"])).toEqual([
    "$SYS/+/heartbeat",
  ]);
});

test("a removed filter matches nothing, others of its branch stay", () => {
  const tree = createTopicTree<number>();
  tree.add("c7/a/b", 1);
  tree.add("c7/a/b", 2);
  tree.add("c7/a", 3);

  tree.remove("c7/a/b", 1);
  tree.remove("c7/x/y", 1);

  expect([...tree.match("c7/a/b")]).toEqual([2]);
  expect([...tree.match("c7/a")]).toEqual([3]);
});
