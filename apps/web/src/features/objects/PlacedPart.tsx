import type { TreeObject } from "@metrum/contract/accounting";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf } from "#lib/call";
import { useFormat } from "#lib/format";
import { useAllowed } from "#lib/session";
import { Button, IconButton } from "#ui/button";
import { change } from "#ui/change";
import { Checkbox } from "#ui/field";
import { SearchBox } from "#ui/search";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { refreshed } from "./objects.ts";
import { isPermitted } from "./permitted.ts";
import { PickDialog } from "./PickDialog.tsx";
import { mostPlaced, place, take, tiesOf, usePlaced, type PlacedKind } from "./placed.ts";

interface Props {
  readonly node: TreeObject;
  readonly kind: PlacedKind;
  /** Offers to show only the silent ones. */
  readonly silent?:
    | { readonly isChosen: boolean; readonly onChoose: (isChosen: boolean) => void }
    | undefined;
}

/** Devices, gateways or stations of a branch, with the way to place more and to take them away. */
export function PlacedPart({ node, kind, silent }: Props) {
  const { t } = useTranslation("objects");
  const { number } = useFormat();
  const mayPlace = useAllowed("6:update&(4:read|4:access_all)");
  const [search, setSearch] = useState("");
  const [isPicking, setPicking] = useState(false);
  const placeAgain = async (id: number, object: number) => {
    if (isPermitted(tiesOf[kind])) await change(() => place(kind, String(object), [id]), { refreshed });
  };
  const takeAway = async (id: number) => {
    if (!isPermitted(tiesOf[kind])) return;
    // It may stand at a node below the one that is shown.
    let stood: number | undefined;
    const run = async () => {
      const answer = await take(kind, id);
      stood = answer.data.stood[0]?.object_id;
      return answer;
    };
    const undo = () => void (stood === undefined ? undefined : placeAgain(id, stood));
    await change(run, { refreshed, undo });
  };
  const { query, rows, total } = usePlaced({
    kind,
    object: node._id,
    search,
    isSilent: silent?.isChosen ?? false,
  });
  return (
    <section className="objects-placed">
      <header>
        <SearchBox
          label={t("placed.search")}
          value={search}
          onSearch={useCallback((text: string) => setSearch(text.trim()), [])}
          size="m"
        />
        {silent ? (
          <Checkbox
            checked={silent.isChosen}
            onChange={(event) => silent.onChoose(event.currentTarget.checked)}
          >
            {t("placed.silent")}
          </Checkbox>
        ) : null}
        {mayPlace ? (
          <Button icon="plus" onClick={() => setPicking(true)}>
            {t(`placed.add.${kind}`)}
          </Button>
        ) : null}
      </header>
      {query.error && !rows ? (
        <ErrorState
          title={t("failed")}
          message={reasonOf(query.error)}
          onRetry={() => void query.refetch()}
        />
      ) : !rows ? (
        <Skeleton height={160} />
      ) : rows.length === 0 ? (
        <EmptyState title={t(search === "" && !silent?.isChosen ? "placed.none" : "nothing")} />
      ) : (
        <ul aria-label={t(`tab.${kind}`)}>
          {rows.map((row) => (
            <li key={row.id}>
              <a href={row.href}>{row.name}</a>
              <small>{row.number}</small>
              {mayPlace ? (
                <IconButton
                  icon="close"
                  size="small"
                  label={t("placed.take", { name: row.name })}
                  onClick={() => void takeAway(row.id)}
                />
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {total > mostPlaced ? (
        <p>{t("placed.more", { shown: number(mostPlaced, 0), total: number(total, 0) })}</p>
      ) : null}
      {isPicking ? <PickDialog node={node} kind={kind} onClose={() => setPicking(false)} /> : null}
    </section>
  );
}
