import { validation, type ValidationException, type ValidationKind } from "@metrum/contract/accounting";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { formatShort, useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { Button } from "#ui/button";
import { Icon } from "#ui/icon";
import { StatusGlyph } from "#ui/status";
import type { filterOf } from "./address.ts";
import type { ShownRows } from "./useGroups.ts";

type Filter = ReturnType<typeof filterOf>;

interface GroupProps {
  readonly group: {
    readonly kind: ValidationKind;
    readonly title: string;
    readonly count: number;
    readonly not_kept: number;
  };
  readonly filter: Filter;
  readonly sort: "asc" | "desc";
  readonly isOpen: boolean;
  readonly onFold: (isOpen: boolean) => void;
  readonly current: number | undefined;
  readonly onOpen: (row: ValidationException) => void;
  /** How many rows are shown at most. */
  readonly shown: number;
  readonly onMore: () => void;
  /** The rows that are shown, for the keys. */
  readonly onRows: (kind: ValidationKind, rows: readonly ValidationException[], state: ShownRows) => void;
}

/** Exceptions of one rule: the first ones, and more on request. */
export function ExceptionGroup(props: GroupProps) {
  const { group, filter, sort, isOpen, onFold, current, onOpen, shown, onMore, onRows } = props;
  const { t } = useTranslation("validation");
  const { number } = useFormat();
  const { data, isPlaceholderData } = useCall(
    validation.list,
    {
      body: {
        ...filter,
        kind: group.kind,
        sort,
        per_page: shown <= 10 ? 10 : shown,
      },
    },
    { isEnabled: isOpen, keepsPrevious: true },
  );
  const rows = isOpen ? (data?.exceptions.data ?? []).slice(0, shown) : none;
  const known = rows.map(({ id }) => id).join(" ");
  const isSettled = isOpen && data !== undefined && !isPlaceholderData;
  const isWhole = isSettled && rows.length >= data.exceptions.total;
  useEffect(() => {
    onRows(group.kind, rows, { isWhole, isSettled });
    // The rows are known by their ids: a new answer with the same ones changes nothing.
  }, [known, group.kind, isOpen, isSettled, isWhole, shown]);
  const left = group.count - rows.length;
  return (
    <section className="inbox-group">
      <h2>
        <button type="button" aria-expanded={isOpen} onClick={() => onFold(!isOpen)}>
          <Icon name={isOpen ? "chevronDown" : "chevronRight"} size={12} />
          <span>{group.title}</span>
          <b>{number(group.count, 0)}</b>
        </button>
      </h2>
      {isOpen ? (
        <>
          <ul>
            {rows.map((row) => (
              <li key={row.id}>
                <ExceptionRow row={row} isCurrent={row.id === current} onOpen={() => onOpen(row)} />
              </li>
            ))}
          </ul>
          {left > 0 && rows.length > 0 ? (
            <Button kind="link" onClick={onMore}>
              {t("more", { count: left, shown: number(left, 0) })}
            </Button>
          ) : null}
          {group.not_kept > 0 ? (
            <p className="inbox-note">
              {t("notKept", { count: group.not_kept, shown: number(group.not_kept, 0) })}
            </p>
          ) : null}
        </>
      ) : null}
    </section>
  );
}

const none: readonly ValidationException[] = [];

interface RowProps {
  readonly row: ValidationException;
  readonly isCurrent: boolean;
  readonly onOpen: () => void;
}

function ExceptionRow({ row, isCurrent, onOpen }: RowProps) {
  const { zone } = useSession();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isCurrent) button.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  return (
    <button
      ref={button}
      type="button"
      className="inbox-row"
      aria-current={isCurrent ? "true" : undefined}
      onClick={onOpen}
    >
      <StatusGlyph kind={row.outcome === null ? (isCurrent ? "alarm" : "warn") : "ok"} />
      <span className="inbox-name">{row.point_name ?? row.device_name}</span>
      <span className="inbox-what">{row.summary}</span>
      <time>{formatShort(row.startDate, zone)}</time>
    </button>
  );
}
