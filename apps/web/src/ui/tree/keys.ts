import type { TreeNode, TreeRow } from "./rows.ts";

/** The row to which a key leads from another one; null for a key that leads nowhere. */
export function goTo(key: string, at: number, rows: readonly TreeRow<TreeNode>[]): number | null {
  switch (key) {
    case "ArrowDown":
      return Math.min(at + 1, rows.length - 1);
    case "ArrowUp":
      return Math.max(at - 1, 0);
    case "Home":
      return 0;
    case "End":
      return rows.length - 1;
    case "ArrowRight":
      return rows[at]?.isOpen && (rows[at + 1]?.level ?? 0) > rows[at].level ? at + 1 : at;
    case "ArrowLeft": {
      const level = rows[at]?.level ?? 1;
      const above = rows.slice(0, at).findLastIndex((row) => row.level < level);
      return above < 0 ? at : above;
    }
    default:
      return startingWith(key, at, rows);
  }
}

/** The next row whose title starts with a typed letter, after the last one from the first on. */
function startingWith(key: string, at: number, rows: readonly TreeRow<TreeNode>[]): number | null {
  if (key.length !== 1 || key === " ") return null;
  const typed = key.toLocaleLowerCase();
  const inTurn = [...rows.keys()].map((place) => (at + 1 + place) % rows.length);
  return inTurn.find((each) => rows[each]?.node.title.toLocaleLowerCase().startsWith(typed)) ?? null;
}
