import { objects, type TreeObject } from "@metrum/contract/accounting";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { ObjectTabs } from "#object-tabs";
import { nodeHref } from "#lib/screen";
import { EmptyState } from "#ui/states";
import type { CheckedAction } from "./CheckedBar.tsx";
import { MoveDialog } from "./MoveDialog.tsx";
import { NodeDialog } from "./NodeDialog.tsx";
import { NodePage } from "./NodePage.tsx";
import { askedNode } from "./objects.ts";
import "./objects.css";
import { ObjectTree } from "./ObjectTree.tsx";
import { PickDialog } from "./PickDialog.tsx";
import { PickUsersDialog } from "./PickUsersDialog.tsx";

type Open =
  | { readonly kind: "add"; readonly parent: TreeObject | null }
  | { readonly kind: "edit"; readonly node: TreeObject }
  | {
      readonly kind: CheckedAction;
      readonly nodes: readonly TreeObject[];
      readonly then: (() => void) | undefined;
    };

/** The tree of objects on the left, the chosen node on the right; on a phone one below the other. */
export function ObjectsPage() {
  const { t } = useTranslation("objects");
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open | null>(null);
  const given = search["node"];
  const current = typeof given === "string" || typeof given === "number" ? String(given) : null;
  const select = (id: string | null, replace = false) =>
    void navigate({ to: ".", search: id === null ? {} : { node: id }, replace });
  const { data } = useCall(objects.get, askedNode(current ?? ""), {
    isQuiet: true,
    isEnabled: current !== null,
  });
  const close = () => setOpen(null);
  const onAdd = (parent: TreeObject | null) => setOpen({ kind: "add", parent });
  const onEdit = (node: TreeObject) => setOpen({ kind: "edit", node });
  return (
    <div className="objects-views">
      <ObjectTabs current="tree" onReset={() => select(null)} />
      <div className="objects" data-node={current === null ? undefined : ""}>
        <ObjectTree
          current={current}
          opened={data?.parents.map(({ _id }) => _id) ?? []}
          onSelect={select}
          onMove={(nodes) => setOpen({ kind: "move", nodes, then: undefined })}
          onChecked={(kind, nodes, then) => setOpen({ kind, nodes, then })}
          {...{ onAdd, onEdit }}
        />
        <div className="objects-page">
          {current === null ? (
            <EmptyState title={t("choose")} />
          ) : (
            <NodePage id={current} hrefOf={nodeHref} {...{ onAdd, onEdit }} />
          )}
        </div>
        {open?.kind === "add" ? (
          <NodeDialog node={null} parent={open.parent} onClose={close} onSaved={select} />
        ) : null}
        {open?.kind === "edit" ? (
          <NodeDialog node={open.node} parent={null} onClose={close} onSaved={() => undefined} />
        ) : null}
        {open && "nodes" in open ? <NodesDialog {...open} onClose={close} /> : null}
      </div>
    </div>
  );
}

/** What is done with several nodes. */
function NodesDialog(props: Extract<Open, { nodes: unknown }> & { readonly onClose: () => void }) {
  const { kind, nodes, then, onClose } = props;
  const [node] = nodes;
  if (kind === "move")
    return <MoveDialog moved={nodes} onClose={onClose} {...(then ? { onMoved: then } : {})} />;
  if (kind === "users") return <PickUsersDialog nodes={nodes} onClose={onClose} onTied={() => then?.()} />;
  return node ? <PickDialog {...{ node, kind, onClose }} /> : null;
}
