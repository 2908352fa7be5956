import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button";
import { ListPage } from "#ui/list";
import { EmptyState } from "#ui/states";
import type { Chosen, Kind } from "./directories.ts";
import { DirectoryTabs } from "./DirectoryTabs.tsx";
import "./directories.css";

interface Props {
  readonly kind: Kind;
  readonly chosen: Chosen;
  readonly list: ReactNode;
  readonly card: (id: string) => ReactNode;
}

/** A directory: its list on the left, the card of the chosen entry on the right; a phone shows one of them. */
export function DirectoryPage({ kind, chosen, list, card }: Props) {
  const { t } = useTranslation("directories");
  return (
    <ListPage className="directories" title={t("title")}>
      <DirectoryTabs current={kind} />
      <div className="directories-panes" data-chosen={chosen.id === null ? undefined : ""}>
        <div className="directories-list">{list}</div>
        <aside className="directories-card" aria-label={t(`card.${kind}`)}>
          {chosen.id === null ? (
            <EmptyState title={t(`choose.${kind}`)} />
          ) : (
            <>
              <p className="directories-back">
                <Button onClick={() => chosen.choose(null)}>{t("back")}</Button>
              </p>
              {card(chosen.id)}
            </>
          )}
        </aside>
      </div>
    </ListPage>
  );
}
