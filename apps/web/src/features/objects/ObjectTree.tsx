import { objects, type TreeObject } from "@metrum/contract/accounting";
import { sheetImports } from "@metrum/contract/metering";
import { useCallback, useEffect, useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf } from "#lib/call";
import { useFormat } from "#lib/format";
import { useAllowed } from "#lib/session";
import { Button, IconButton } from "#ui/button";
import { useIsPhone } from "#ui/grid";
import { Menu, type MenuEntry } from "#ui/menu";
import { SearchBox } from "#ui/search";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { checkStates, toggleCheck, Tree, type Checked } from "#ui/tree";
import { moveNodes, removeNode, shiftNode } from "./actions.ts";
import { CheckedBar, type CheckedAction } from "./CheckedBar.tsx";
import { devicesOf, silentOf, type ObjectNode } from "./objects.ts";
import { isPermitted } from "./permitted.ts";
import { saveTree } from "./saveTree.ts";
import { useTree } from "./useTree.ts";
import { useTreeWords } from "./useTreeWords.ts";

interface Props {
  readonly current: string | null;
  /** Nodes above the current one, from the top. */
  readonly opened: readonly string[];
  /** `isFirst`: chosen by the screen itself. */
  readonly onSelect: (id: string | null, isFirst?: boolean) => void;
  readonly onAdd: (parent: TreeObject | null) => void;
  readonly onEdit: (node: TreeObject) => void;
  readonly onMove: (nodes: readonly TreeObject[]) => void;
  readonly onChecked: (action: CheckedAction, nodes: readonly TreeObject[], then: () => void) => void;
}

const none: Checked = new Set();

/** The way to the import of objects; rows with devices need rights on them. */
function useImportItems() {
  const { t } = useTranslation("objects");
  const mayCreate = useAllowed("6:create|6:access_all");
  const onSelect = () => {
    if (!isPermitted(objects.add) || !isPermitted(sheetImports.upload)) return;
    location.hash = "#/cloud/devices/import?f.kind=objects";
  };
  return mayCreate ? [{ id: "import", title: t("import"), icon: "upload" as const, onSelect }] : [];
}

/** The first node stands for none, except on a phone, where it would cover the tree. */
function useFirst(first: string | undefined, { current, onSelect }: Props): void {
  const isPhone = useIsPhone();
  useEffect(() => {
    if (first !== undefined && current === null && !isPhone) onSelect(first, true);
  }, [first, current, isPhone, onSelect]);
}

/** The tree of a company with search, order, checks and what can be done with a node. */
export function ObjectTree(props: Props) {
  const { current, opened, onSelect } = props;
  const { t } = useTranslation("objects");
  const { number } = useFormat();
  const words = useTreeWords();
  const mayCreate = useAllowed("6:create|6:access_all");
  const mayChange = useAllowed("6:update|6:access_all");
  const importItems = useImportItems();
  const [search, setSearch] = useState("");
  const [sort, setSort] = useState<"asc" | "desc" | null>(null);
  const [checked, setChecked] = useState<Checked>(none);
  const { nodes, rows, change, first, count, query } = useTree({ search, sort, opened });
  useFirst(first, props);
  const menuOf = useNodeMenu(props, nodes);
  const box = useRef<HTMLElement>(null);
  const clear = () => {
    setChecked(none);
    // What has the focus may go with the bar.
    box.current?.querySelector<HTMLElement>("[role=tree]")?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isSearch = event.target instanceof HTMLInputElement && event.target.type === "text";
    if (event.key !== "Escape" || event.defaultPrevented || isSearch || checked.size === 0) return;
    event.preventDefault();
    clear();
  };
  return (
    <aside className="objects-tree" aria-label={t("title")} ref={box} onKeyDown={onKeyDown}>
      <header>
        <div>
          <h1>{t("title")}</h1>
          <small>{count === undefined ? "" : t("nodes", { count, shown: number(count, 0) })}</small>
        </div>
        {mayCreate ? (
          <Button icon="plus" onClick={() => props.onAdd(null)}>
            {t("add")}
          </Button>
        ) : null}
        <Menu
          label={t("more")}
          items={[
            ...importItems,
            { id: "xlsx", title: t("export.xlsx"), icon: "download", onSelect: () => void saveTree("xlsx") },
            { id: "csv", title: t("export.csv"), icon: "download", onSelect: () => void saveTree("csv") },
          ]}
          trigger={(trigger) => <IconButton {...trigger} icon="more" label={t("more")} kind="secondary" />}
        />
      </header>
      <SearchBox
        label={t("search")}
        value={search}
        onSearch={useCallback((text: string) => setSearch(text.trim()), [])}
        size="m"
      />
      <div className="objects-columns">
        <button type="button" title={t("sort.hint")} onClick={() => setSort(sort === "asc" ? "desc" : "asc")}>
          {t("sort.name")} {sort === "asc" ? "↑" : sort === "desc" ? "↓" : ""}
        </button>
        {sort === null ? null : (
          <button type="button" onClick={() => setSort(null)}>
            {t("sort.byHand")}
          </button>
        )}
        <span>{t("devices")}</span>
      </div>
      {query.error && !query.data ? (
        <ErrorState
          title={t("failed")}
          message={reasonOf(query.error)}
          onRetry={() => void query.refetch()}
        />
      ) : query.isPending ? (
        <Skeleton height={300} />
      ) : rows.length === 0 ? (
        <EmptyState title={t(search === "" ? "empty" : "nothing")} />
      ) : (
        <Tree
          label={t("title")}
          rows={rows}
          current={current}
          onSelect={onSelect}
          onOpen={change}
          checks={{
            stateOf: checkStates(checked, nodes),
            onToggle: (id) => setChecked((was) => toggleCheck(was, id, nodes)),
          }}
          {...(mayChange
            ? {
                onMove: (id: string, target: string | null) => {
                  const from = nodes.find((each) => each.id === id)?.parent ?? null;
                  if (from !== target) void moveNodes([{ id, from }], target);
                },
              }
            : {})}
          end={(node) => <Figures node={node} />}
          menuOf={menuOf}
          words={words}
        />
      )}
      {checked.size > 0 ? (
        <CheckedBar
          ids={[...checked]}
          onClear={clear}
          onKeep={(ids) => setChecked(new Set(ids))}
          onAction={(action, ids) => props.onChecked(action, ids, clear)}
        />
      ) : null}
    </aside>
  );
}

/** Devices of the branch, and how many of them are silent. */
function Figures({ node: { object } }: { readonly node: ObjectNode }) {
  const { t } = useTranslation("objects");
  const { number } = useFormat();
  const silent = silentOf(object);
  return (
    <>
      {silent > 0 ? (
        <span className="objects-silent" title={t("silent", { count: silent })}>
          ◆ {number(silent, 0)}
        </span>
      ) : null}
      <span className="objects-count">{number(devicesOf(object), 0)}</span>
    </>
  );
}

function useNodeMenu(
  { current, onSelect, onAdd, onEdit, onMove }: Props,
  nodes: readonly ObjectNode[],
): (node: ObjectNode) => readonly MenuEntry[] {
  const { t } = useTranslation("objects");
  const mayCreate = useAllowed("6:create|6:access_all");
  const mayChange = useAllowed("6:update|6:access_all");
  const mayDelete = useAllowed("6:delete|6:access_all");
  return ({ object }) => {
    const neighbours = nodes.filter(({ parent }) => parent === object.parentId).map((each) => each.object);
    const remove = async () => {
      if ((await removeNode(object, t)) && object._id === current) onSelect(object.parentId);
    };
    return [
      ...(mayCreate
        ? [{ id: "add", title: t("menu.add"), icon: "plus" as const, onSelect: () => onAdd(object) }]
        : []),
      ...(mayChange
        ? [
            { id: "edit", title: t("menu.edit"), icon: "edit" as const, onSelect: () => onEdit(object) },
            { id: "move", title: t("menu.move"), icon: "link" as const, onSelect: () => onMove([object]) },
            {
              id: "up",
              title: t("menu.up"),
              icon: "arrowUp" as const,
              onSelect: () => void shiftNode(neighbours, object._id, -1),
            },
            {
              id: "down",
              title: t("menu.down"),
              icon: "arrowDown" as const,
              onSelect: () => void shiftNode(neighbours, object._id, 1),
            },
          ]
        : []),
      ...(mayDelete
        ? [
            {
              id: "remove",
              title: t("menu.remove"),
              icon: "trash" as const,
              isHarmful: true,
              startsGroup: true,
              onSelect: () => void remove(),
            },
          ]
        : []),
    ];
  };
}
