import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf } from "#lib/call";
import { useFormat } from "#lib/format";
import { Checkbox } from "#ui/field";
import { SearchBox } from "#ui/search";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";

interface Row {
  readonly id: number;
  readonly name: string;
  /** Beside the name. */
  readonly detail: string;
}

interface Props {
  readonly searchLabel: string;
  readonly search: string;
  readonly onSearch: (text: string) => void;
  readonly rows: readonly Row[] | undefined;
  /** All that the search finds: the list may be a part of it. */
  readonly total: number;
  readonly query: { readonly error: Error | null; readonly refetch: () => unknown };
  readonly chosen: readonly number[];
  readonly onChosen: (chosen: readonly number[]) => void;
}

/** A list to choose several things from, with a search; what is chosen stays so while searching. */
export function PickList({ searchLabel, search, onSearch, rows, total, query, chosen, onChosen }: Props) {
  const { t } = useTranslation("objects");
  const { number } = useFormat();
  const toggle = (id: number) =>
    onChosen(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  return (
    <>
      <SearchBox
        label={searchLabel}
        value={search}
        onSearch={useCallback((text: string) => onSearch(text.trim()), [onSearch])}
      />
      {query.error && !rows ? (
        <ErrorState
          title={t("failed")}
          message={reasonOf(query.error)}
          onRetry={() => void query.refetch()}
        />
      ) : !rows ? (
        <Skeleton height={160} />
      ) : rows.length === 0 ? (
        <EmptyState title={t("nothing")} />
      ) : (
        <ul className="dialog-choices objects-pick">
          {rows.map(({ id, name, detail }) => (
            <li key={id}>
              <Checkbox checked={chosen.includes(id)} onChange={() => toggle(id)}>
                <b>{name}</b> <small>{detail}</small>
              </Checkbox>
            </li>
          ))}
        </ul>
      )}
      {rows && total > rows.length ? (
        <p>{t("placed.more", { shown: number(rows.length, 0), total: number(total, 0) })}</p>
      ) : null}
    </>
  );
}
