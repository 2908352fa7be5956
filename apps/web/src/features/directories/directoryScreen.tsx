import type { Call } from "@metrum/contract/core";
import { Suspense, useState, type ComponentType, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useAllowed } from "#lib/session";
import { Button } from "#ui/button";
import { ListPage, ListView, useList, type List } from "#ui/list";
import { EmptyState } from "#ui/states";
import { useChosen, type Chosen, type Kind } from "./directories.ts";
import { DirectoryTabs } from "./DirectoryTabs.tsx";
import "./directories.css";
import type { ListOwn } from "./EntryLink.tsx";
import { isPermitted } from "./permitted.ts";

interface Directory<C extends Call, Row extends object> {
  readonly kind: Kind;
  readonly list: List<C, Row, ListOwn>;
  /** Adds an entry. */
  readonly create: Call;
  readonly Card: ComponentType<{ readonly id: string; readonly onRemoved: () => void }>;
  /** The dialog that adds an entry. */
  readonly added: (props: {
    readonly onClose: () => void;
    readonly onSaved: (id: string) => void;
  }) => ReactNode;
}

/** The screen of a directory: its list on the left, the card of the chosen entry on the right; a phone shows one. */
export function directoryScreen<C extends Call, Row extends object>(of: Directory<C, Row>): ComponentType {
  return function DirectoryScreen() {
    const { t } = useTranslation("directories");
    const chosen = useChosen();
    const { Card } = of;
    return (
      <ListPage className="directories" title={t("title")}>
        <DirectoryTabs current={of.kind} />
        <div className="directories-panes" data-chosen={chosen.id === null ? undefined : ""}>
          <div className="directories-list">
            <Entries of={of} chosen={chosen} />
          </div>
          <aside className="directories-card" aria-label={t(`card.${of.kind}`)}>
            {chosen.id === null ? (
              <EmptyState title={t(`choose.${of.kind}`)} />
            ) : (
              <>
                <p className="directories-back">
                  <Button onClick={() => chosen.choose(null)}>{t("back")}</Button>
                </p>
                <Card key={chosen.id} id={chosen.id} onRemoved={() => chosen.choose(null)} />
              </>
            )}
          </aside>
        </div>
      </ListPage>
    );
  };
}

/** The list of entries, with the button that adds one. */
function Entries<C extends Call, Row extends object>(props: {
  readonly of: Directory<C, Row>;
  readonly chosen: Chosen;
}) {
  const { of, chosen } = props;
  const { t } = useTranslation("directories");
  const mayCreate = useAllowed("6:create");
  const [isAdding, setAdding] = useState(false);
  const list = useList(of.list, { current: chosen.id, choose: chosen.choose });
  const add = () => {
    if (isPermitted(of.create)) setAdding(true);
  };
  return (
    <>
      <ListView
        list={list}
        tools={
          mayCreate ? (
            <Button kind="primary" icon="plus" onClick={add}>
              {t("add")}
            </Button>
          ) : null
        }
      />
      {isAdding ? (
        <Suspense>{of.added({ onClose: () => setAdding(false), onSaved: chosen.choose })}</Suspense>
      ) : null}
    </>
  );
}
