import { objects, type TreeObject } from "@metrum/contract/accounting";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { useAllowed } from "#lib/session";
import { Button } from "#ui/button";
import { Menu } from "#ui/menu";
import { removeNodes, topNodes, type Refused } from "./many.ts";
import { placedKinds, type PlacedKind } from "./placed.ts";

/** What is done with checked branches in a dialog of the screen. */
export type CheckedAction = "move" | "users" | PlacedKind;

interface Props {
  readonly ids: readonly string[];
  readonly onClear: () => void;
  /** These branches stay checked. */
  readonly onKeep: (ids: readonly string[]) => void;
  readonly onAction: (action: CheckedAction, nodes: readonly TreeObject[]) => void;
}

/** What the checked branches hold, each thing once, and what can be done with them. */
export function CheckedBar({ ids, onClear, onKeep, onAction }: Props) {
  const { t } = useTranslation("objects");
  const { number } = useFormat();
  const mayChange = useAllowed("6:update|6:access_all");
  const mayDelete = useAllowed("6:delete|6:access_all");
  const isBusy = useRef(false);
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const object_ids = [...ids];
  const { data } = useCall(objects.branch, { body: { object_ids } }, { isQuiet: true, keepsPrevious: true });
  /** Branches below other ones go with them. */
  const withTops = async (run: (nodes: readonly TreeObject[]) => void | Promise<void>) => {
    // The buttons stay enabled: a disabled one would lose the focus.
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      const nodes = await topNodes(ids);
      if (nodes) await run(nodes);
    } finally {
      isBusy.current = false;
    }
  };
  const open = (action: CheckedAction) => void withTops((nodes) => onAction(action, nodes));
  const remove = () =>
    void withTops(async (nodes) => {
      const left = await removeNodes(nodes, t);
      if (!left) return;
      setRefused(left);
      if (left.length === 0) onClear();
      else onKeep(left.map(({ node }) => node._id));
    });
  return (
    <footer className="objects-checked">
      <p role="status">
        <b>{t("checked.nodes", { count: data?.branch.nodes ?? ids.length })}</b>
        <span>
          {data
            ? t("checked.devices", { count: data.branch.devices, shown: number(data.branch.devices, 0) })
            : ""}
        </span>
        <button type="button" onClick={onClear}>
          {t("checked.clear")}
        </button>
      </p>
      {refused.length > 0 ? (
        <ul role="alert">
          {refused.map(({ node, reason }) => (
            <li key={node._id}>
              <b>{node.name}</b> {reason}
            </li>
          ))}
        </ul>
      ) : null}
      <div className="objects-checked-actions">
        {mayChange ? (
          <Button size="small" onClick={() => open("move")}>
            {t("menu.move")}
          </Button>
        ) : null}
        <TieMenu isSole={ids.length === 1} onTie={open} />
        {mayDelete ? (
          <Button size="small" kind="danger" onClick={remove}>
            {t("menu.remove")}
          </Button>
        ) : null}
      </div>
    </footer>
  );
}

/** Devices, gateways and stations stand at one node; users may be tied to many. */
function TieMenu(props: { readonly isSole: boolean; readonly onTie: (kind: "users" | PlacedKind) => void }) {
  const { isSole, onTie } = props;
  const { t } = useTranslation("objects");
  const mayPlace = useAllowed("6:update&(4:read|4:access_all)");
  const mayTieUsers = useAllowed("(6:update|6:access_all)&(1:read|6:read)");
  const items = [
    ...(mayPlace
      ? placedKinds.map((kind) => ({
          id: kind,
          title: t(`tab.${kind}`),
          isDisabled: !isSole,
          ...(isSole ? {} : { hint: t("checked.oneNode") }),
          onSelect: () => onTie(kind),
        }))
      : []),
    ...(mayTieUsers ? [{ id: "users", title: t("tab.users"), onSelect: () => onTie("users") }] : []),
  ];
  if (items.length === 0) return null;
  return (
    <Menu
      label={t("checked.tie")}
      items={items}
      trigger={(trigger) => (
        <Button {...trigger} size="small" iconAfter="chevronDown">
          {t("checked.tie")}
        </Button>
      )}
    />
  );
}
