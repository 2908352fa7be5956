import { sheetImportBounds, sheetImports, type SheetKind } from "@metrum/contract/metering";
import { useState, type DragEvent } from "react";
import { useTranslation } from "react-i18next";
import { isPermitted } from "#carriers";
import { ApiError, exchange, reasonOf, refetch } from "#lib/call";
import { useFormat } from "#lib/format";
import { Icon } from "#ui/icon";
import { StatusGlyph } from "#ui/status";
import { FieldsOfKind } from "./FieldsOfKind.tsx";
import { importHref } from "./imports.ts";

const mib = 1024 * 1024;

/** The file, chosen or dropped, and what it may contain. */
export function FileStep({ kind }: { readonly kind: SheetKind }) {
  const { t } = useTranslation("sheetImports");
  const { number } = useFormat();
  const [isOver, setOver] = useState(false);
  const { isBusy, fault, upload } = useUpload(kind);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file && !isBusy) void upload(file);
  };
  return (
    <div className="sheets-file">
      <section
        className="sheets-drop"
        aria-label={t("file.label")}
        aria-busy={isBusy || undefined}
        data-over={isOver ? "" : undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Icon name="upload" size={20} />
        <p className="sheets-drop-title">{t(isBusy ? "file.reading" : "file.drop")}</p>
        <label className="button button-primary button-normal">
          <span>{t("file.choose")}</span>
          <input
            className="visually-hidden"
            type="file"
            accept=".xlsx,.xls,.ods,.csv"
            disabled={isBusy}
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              if (file) void upload(file);
              // So that the same file can be chosen again once it has been corrected.
              currentTarget.value = "";
            }}
          />
        </label>
        <p className="sheets-drop-note">
          {t("file.hint", {
            mib: sheetImportBounds.fileBytes / mib,
            rows: number(sheetImportBounds.rows, 0),
          })}
        </p>
        {fault === undefined ? null : (
          <p className="field-error" role="alert">
            <StatusGlyph kind="alarm" />
            {fault}
          </p>
        )}
      </section>
      <FieldsOfKind kind={kind} />
    </div>
  );
}

/** Sends a file and opens its import; a refusal is said where the file was dropped. */
function useUpload(kind: SheetKind) {
  const { t } = useTranslation("sheetImports");
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const send = async (file: File): Promise<void> => {
    const input = { body: { kind, file_name: file.name } };
    const { data } = await exchange(sheetImports.upload, input, { files: { file }, isQuiet: true });
    location.hash = importHref(data.import);
    await refetch(sheetImports.list);
  };
  const upload = async (file: File): Promise<void> => {
    if (!isPermitted(sheetImports.upload)) return;
    if (file.size > sheetImportBounds.fileBytes) {
      setFault(t("file.tooLarge", { mib: sheetImportBounds.fileBytes / mib }));
      return;
    }
    setBusy(true);
    setFault(undefined);
    try {
      await send(file);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFault(error.attributes["file"]?.[0] ?? reasonOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, fault, upload };
}
