import type { ImportedRow, SheetImport } from "@metrum/contract/metering";
import type { TFunction } from "i18next";
import { PhoneRow, type Words } from "#ui/list";
import { Status, StatusGlyph } from "#ui/status";
import { outcomeKinds, tenseOf } from "./imports.ts";

export const stateOf = ({ outcome }: ImportedRow, imported: SheetImport, t: TFunction) =>
  outcome === null
    ? { kind: "silent" as const, text: t("sheetImports:unchecked") }
    : { kind: outcomeKinds[outcome], text: t(`sheetImports:${tenseOf(imported)}.${outcome}`) };

const wordOf = (value: string | number | null | undefined, t: TFunction): string =>
  value === null || value === undefined || value === "" ? t("sheetImports:emptyCell") : String(value);

/** A cell of the file: wrong, or new beside the former value, or as it is. */
export function Cell({
  row,
  at,
  t,
}: {
  readonly row: ImportedRow;
  readonly at: number;
  readonly t: TFunction;
}) {
  const value = row.cells[at];
  const fault = row.faults.find(({ column }) => column === at);
  if (fault)
    return (
      <span className="sheets-wrong" title={`${wordOf(value, t)}: ${fault.text}`}>
        <StatusGlyph kind={row.outcome === "refused" ? "alarm" : "warn"} />
        <span>{wordOf(value, t)}</span>
      </span>
    );
  const before = row.before[at] ?? null;
  if (before === null) return value ?? "—";
  const [old, now] = [wordOf(before, t), wordOf(value, t)];
  return (
    <span className="sheets-change" title={`${old} → ${now}`}>
      <del>{old}</del>
      {" → "}
      <ins>{now}</ins>
    </span>
  );
}

interface PhoneProps {
  readonly row: ImportedRow;
  readonly imported: SheetImport;
  readonly context: Words;
}

export function PhoneLines({ row, imported, context: { t } }: PhoneProps) {
  const { kind, text: words } = stateOf(row, imported, t);
  const cells = row.cells.filter((each) => each !== null && each !== "");
  return (
    <PhoneRow
      title={cells.slice(0, 3).join(" · ")}
      aside={t("sheetImports:rowOf", { row: row.row })}
      line={
        <>
          <Status kind={kind}>{words}</Status> {row.reason}
        </>
      }
    />
  );
}
