/** Command of a key in the table; null leaves it to the browser. */
export type GridAction =
  | { readonly kind: "move"; readonly rows: number; readonly columns: number; readonly isRange: boolean }
  | { readonly kind: "edge"; readonly to: "first" | "last" }
  | { readonly kind: "select"; readonly isRange: boolean }
  | { readonly kind: "open"; readonly isNewTab: boolean }
  | { readonly kind: "copy" }
  | { readonly kind: "escape" }
  | null;

interface Key {
  readonly key: string;
  readonly code: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

const moves: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  KeyJ: [1, 0],
  KeyK: [-1, 0],
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageDown: [15, 0],
  PageUp: [-15, 0],
};

/** Letters are matched by physical key, so J and K work with a Cyrillic layout too. */
export function actionOf(event: Key): GridAction {
  const isCommand = event.ctrlKey || event.metaKey;
  if (isCommand && event.code === "KeyC") return { kind: "copy" };
  if (event.key === "Enter") return { kind: "open", isNewTab: isCommand };
  if (isCommand) return null;
  if (event.key === "Escape") return { kind: "escape" };
  if (event.code === "KeyX" || event.key === " ") return { kind: "select", isRange: event.shiftKey };
  if (event.key === "Home") return { kind: "edge", to: "first" };
  if (event.key === "End") return { kind: "edge", to: "last" };
  const move = moves[event.code];
  return move ? { kind: "move", rows: move[0], columns: move[1], isRange: event.shiftKey } : null;
}
