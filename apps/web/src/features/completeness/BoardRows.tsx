import { resourceOfGroup, type Language } from "@metrum/vocabulary";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { deviceHref } from "#lib/screen";
import { ResourceIcon } from "#ui/icon";
import { StatusGlyph } from "#ui/status";
import { cellKind, glyphOf, type BoardDay, type BoardRow } from "./completeness.ts";

interface RowProps {
  readonly row: BoardRow | undefined;
  readonly index: number;
  readonly days: readonly string[];
  /** Days whose missing rows are being requested, joined by commas: a row is only drawn again when it changes. */
  readonly asking: string;
  readonly seenMissing: ReadonlySet<string>;
  /** Selected days of this row as "from-to"; empty: none. */
  readonly selected: string;
  /** The day under the cursor. */
  readonly cursor: number | undefined;
}

export const cellId = (index: number, day: number) => `cell-${String(index)}-${String(day)}`;

/** One device: its name, a cell for each day, and its share. */
export const Row = memo(function Row(props: RowProps) {
  const { row, index, days, asking, seenMissing, selected, cursor } = props;
  const { language, number } = useFormat();
  const type = row?.types[0];
  const byDay = new Map(type?.days.map((each) => [each.day, each]));
  const [from = Infinity, to = -Infinity] = selected === "" ? [] : selected.split("-").map(Number);
  const asked = new Set(asking.split(","));
  return (
    <div
      className="board-row"
      role="row"
      aria-rowindex={index + 2}
      data-index={index}
      data-chosen={selected !== ""}
    >
      {row ? (
        <Name row={row} language={language} />
      ) : (
        <span className="board-name is-loading" role="rowheader" />
      )}
      <span className="board-days" role="none">
        {days.map((day, at) => (
          <Cell
            key={day}
            id={cellId(index, at)}
            at={at}
            day={byDay.get(day)}
            name={day}
            titles={type?.reasons}
            isAsking={asked.has(day)}
            wasMissing={seenMissing.has(day)}
            isChosen={at >= from && at <= to}
            isCursor={cursor === at}
          />
        ))}
      </span>
      <span className="board-share" role="gridcell">
        {type?.received_share == null ? "—" : number(type.received_share, 1)}
      </span>
    </div>
  );
});

function Name({ row, language }: { readonly row: BoardRow; readonly language: Language }) {
  const resource = resourceOfGroup(row.device_group_id);
  return (
    <span className="board-name" role="rowheader">
      <ResourceIcon resource={resource.key} label={resource.title[language]} />
      <a href={deviceHref(row.device_id)} title={row.name}>
        {row.name}
      </a>
      <span className="board-place">{row.place}</span>
    </span>
  );
}

interface CellProps {
  readonly id: string;
  readonly at: number;
  readonly day: BoardDay | undefined;
  readonly name: string;
  readonly titles: BoardRow["types"][number]["reasons"] | undefined;
  readonly isAsking: boolean;
  readonly wasMissing: boolean;
  readonly isChosen: boolean;
  readonly isCursor: boolean;
}

function Cell({ id, at, day, name, titles = [], isAsking, wasMissing, isChosen, isCursor }: CellProps) {
  const { t } = useTranslation("completeness");
  const kind = cellKind(day, { isAsking, wasMissing });
  const reason = titles.find((each) => each.reason === day?.reason)?.title;
  const words = day
    ? [
        name.split("-").reverse().join("."),
        t("cell", { received: day.received, expected: day.expected }),
        kind === "asking" ? t("legend.asking") : reason,
      ]
    : [];
  const share = day && day.expected > 0 ? Math.round((100 * day.received) / day.expected) : 0;
  return (
    <span
      id={id}
      className="board-cell"
      role="gridcell"
      aria-selected={isChosen}
      aria-label={words.filter((each) => each !== undefined).join(", ")}
      title={words.filter((each) => each !== undefined).join("\n")}
      data-day={at}
      data-kind={kind}
      data-cursor={isCursor ? "" : undefined}
    >
      {kind === "part" ? <i style={{ height: `${String(Math.max(8, share))}%` }} /> : null}
      {kind === "hole" && day?.reason ? <StatusGlyph {...glyphOf(day.reason)} /> : null}
      {kind === "asking" ? <StatusGlyph kind="pending" /> : null}
      {kind === "filled" ? <StatusGlyph kind="online" /> : null}
    </span>
  );
}
