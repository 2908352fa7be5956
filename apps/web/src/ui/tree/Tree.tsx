import { useId, useRef, useState, type DragEvent, type KeyboardEvent, type ReactNode } from "react";
import { IconButton } from "#ui/button";
import { Icon } from "#ui/icon";
import { Menu, type MenuEntry } from "#ui/menu";
import type { CheckState } from "./checks.ts";
import { goTo } from "./keys.ts";
import type { TreeNode, TreeRow } from "./rows.ts";
import "./tree.css";
import { useDrawn } from "./useDrawn.ts";

export interface TreeProps<Node extends TreeNode> {
  readonly label: string;
  readonly rows: readonly TreeRow<Node>[];
  /** The node whose page is shown. */
  readonly current: string | null;
  readonly onSelect: (id: string) => void;
  readonly onOpen: (id: string, isOpen: boolean) => void;
  /** With it every row has a box of three states. */
  readonly checks?: { readonly stateOf: (id: string) => CheckState; readonly onToggle: (id: string) => void };
  /** With it a row can be dragged to another one, or to the top, which is null. */
  readonly onMove?: (id: string, target: string | null) => void;
  /** At the end of a row: figures and states. */
  readonly end?: (node: Node) => ReactNode;
  readonly menuOf?: (node: Node) => readonly MenuEntry[];
  readonly words: {
    readonly open: string;
    readonly check: (title: string) => string;
    readonly menu: (title: string) => string;
  };
}

/**
 * A tree whose rows in sight are drawn. Arrows move and open, Enter selects, Space checks, Home and End go to
 * the ends, Shift F10 or the menu key opens the menu of the row.
 */
export function Tree<Node extends TreeNode>(props: TreeProps<Node>) {
  const { rows, current, checks } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<string | null>(null);
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const { first, last, height, show, onScroll } = useDrawn(box, rows.length);
  const known = (wanted: string | null) => rows.findIndex(({ node }) => node.id === wanted);
  const at = Math.max(0, known(active) < 0 ? known(current) : known(active));
  const rowId = (node: string) => `${id}-${node}`;
  const activate = (to: number) => {
    const row = rows[to];
    if (!row) return;
    setActive(row.node.id);
    show(to);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const row = rows[at];
    if (!row || event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey)
      return;
    const isMenu = event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey);
    if (isMenu) menuButton(rowId(row.node.id))?.click();
    const to = isMenu || act(event.key, row, props) ? at : goTo(event.key, at, rows);
    if (to === null) return;
    event.preventDefault();
    activate(to);
  };
  const drop = (event: DragEvent, target: string | null) => {
    event.preventDefault();
    event.stopPropagation();
    if (dragged !== null && dragged !== target) props.onMove?.(dragged, target);
    setDragged(null);
    setOver(null);
  };
  const allow = (event: DragEvent, target: string | null) => {
    if (dragged === null || dragged === target) return;
    event.preventDefault();
    event.stopPropagation();
    setOver(target ?? "");
  };
  const drag = props.onMove && {
    start: setDragged,
    allow,
    drop,
    end: () => {
      setDragged(null);
      setOver(null);
    },
  };
  return (
    <div
      ref={box}
      className="tree"
      role="tree"
      tabIndex={0}
      aria-label={props.label}
      aria-multiselectable={checks !== undefined}
      aria-activedescendant={rows[at] ? rowId(rows[at].node.id) : undefined}
      data-drop={over === "" ? "" : undefined}
      onKeyDown={onKeyDown}
      onScroll={onScroll}
      {...(drag
        ? { onDragOver: (event) => drag.allow(event, null), onDrop: (event) => drag.drop(event, null) }
        : {})}
    >
      <div style={{ height: first * height }} role="presentation" />
      {rows.slice(first, last).map((row, n) => (
        <Row
          key={row.node.id}
          {...{ row, props, drag }}
          id={rowId(row.node.id)}
          isActive={first + n === at}
          isOver={over === row.node.id}
          onActive={() => setActive(row.node.id)}
        />
      ))}
      <div style={{ height: Math.max(0, rows.length - last) * height }} role="presentation" />
    </div>
  );
}

const menuButton = (row: string) =>
  document.getElementById(row)?.querySelector<HTMLElement>("[aria-haspopup=menu]");

/** What a key does with a row; false for keys that move or do nothing. */
function act<Node extends TreeNode>(key: string, row: TreeRow<Node>, props: TreeProps<Node>): boolean {
  const { node, isOpen } = row;
  const opens = (key === "ArrowRight" && node.childCount > 0 && !isOpen) || (key === "ArrowLeft" && isOpen);
  if (opens) props.onOpen(node.id, !isOpen);
  else if (key === "Enter") props.onSelect(node.id);
  else if (key === " ") props.checks?.onToggle(node.id);
  else return false;
  return true;
}

interface Drag {
  readonly start: (id: string) => void;
  readonly allow: (event: DragEvent, target: string) => void;
  readonly drop: (event: DragEvent, target: string) => void;
  readonly end: () => void;
}

interface RowProps<Node extends TreeNode> {
  readonly row: TreeRow<Node>;
  readonly props: TreeProps<Node>;
  readonly drag: Drag | undefined;
  readonly id: string;
  readonly isActive: boolean;
  readonly isOver: boolean;
  readonly onActive: () => void;
}

const ariaChecked = { all: true, some: "mixed", none: false } as const;

function Row<Node extends TreeNode>({ row, props, drag, ...own }: RowProps<Node>) {
  const { node, level, isOpen, isLoading } = row;
  const { checks, words } = props;
  const state = checks?.stateOf(node.id);
  const isCurrent = props.current === node.id;
  return (
    <div
      id={own.id}
      role="treeitem"
      className="tree-row"
      aria-level={level}
      aria-setsize={row.neighbours}
      aria-posinset={row.place}
      aria-selected={isCurrent}
      aria-label={node.title}
      {...(node.childCount > 0 ? { "aria-expanded": isOpen } : {})}
      {...(state === undefined ? {} : { "aria-checked": ariaChecked[state] })}
      aria-busy={isLoading || undefined}
      data-active={own.isActive ? "" : undefined}
      data-drop={own.isOver ? "" : undefined}
      style={{ paddingInlineStart: 6 + (level - 1) * 16 }}
      onClick={() => {
        own.onActive();
        props.onSelect(node.id);
      }}
      {...draggable(node, drag)}
    >
      {node.childCount > 0 ? (
        <button
          type="button"
          className="tree-open"
          tabIndex={-1}
          aria-label={`${words.open}: ${node.title}`}
          onClick={(event) => {
            event.stopPropagation();
            props.onOpen(node.id, !isOpen);
          }}
        >
          <Icon name={isOpen ? "chevronDown" : "chevronRight"} size={12} />
        </button>
      ) : (
        <span className="tree-open" />
      )}
      {checks && state !== undefined ? (
        <input
          type="checkbox"
          className="checkbox"
          tabIndex={-1}
          aria-label={words.check(node.title)}
          checked={state === "all"}
          ref={(input) => {
            if (input) input.indeterminate = state === "some";
          }}
          onChange={() => checks.onToggle(node.id)}
          onClick={(event) => event.stopPropagation()}
        />
      ) : null}
      <span className="tree-title" title={node.title}>
        {node.title}
      </span>
      {props.end?.(node)}
      <RowMenu label={words.menu(node.title)} items={props.menuOf?.(node) ?? []} />
    </div>
  );
}

/** A row that is dragged, and onto which others are dropped. */
function draggable(node: TreeNode, drag: Drag | undefined) {
  if (!drag) return {};
  return {
    draggable: true,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", node.title);
      drag.start(node.id);
    },
    onDragOver: (event: DragEvent) => drag.allow(event, node.id),
    onDrop: (event: DragEvent) => drag.drop(event, node.id),
    onDragEnd: drag.end,
  };
}

function RowMenu({ label, items }: { readonly label: string; readonly items: readonly MenuEntry[] }) {
  if (items.length === 0) return null;
  return (
    <span
      className="tree-menu"
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <Menu
        label={label}
        items={items}
        trigger={(trigger) => (
          <IconButton {...trigger} tabIndex={-1} icon="more" size="small" label={label} />
        )}
      />
    </span>
  );
}
