import { pointBounds, pointFiles, type AccountingPoint, type PointFile } from "@metrum/contract/accounting";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, exchange, reasonOf, refetch, useCall } from "#lib/call";
import { formatDateTime, useFormat } from "#lib/format";
import { useAllowed, useSession } from "#lib/session";
import { Button, IconButton } from "#ui/button";
import { change } from "#ui/change";
import { confirm } from "#ui/dialog";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { openFile } from "../openFile.ts";
import { refreshed } from "../points.ts";

const kib = 1024;

/** Photographs and documents of a point. */
export function PointFilesPart({ point }: { readonly point: AccountingPoint }) {
  const { t } = useTranslation("accountingPoints");
  const mayChange = useAllowed("6:update|6:access_all");
  const query = useCall(pointFiles.list, { body: { accounting_point_id: point.id } }, { isQuiet: true });
  const files = query.data?.files;
  return (
    <section className="points-panel" aria-label={t("files.title")}>
      <header>
        <h2>{t("files.title")}</h2>
        <span className="quiet">
          {t("files.hint", { mib: pointBounds.fileBytes / kib / kib, count: pointBounds.files })}
        </span>
        {mayChange ? <AddFile pointId={point.id} /> : null}
      </header>
      {query.error && !files ? (
        <ErrorState
          title={t("failed")}
          message={reasonOf(query.error)}
          onRetry={() => void query.refetch()}
        />
      ) : !files ? (
        <Skeleton height={120} />
      ) : files.length === 0 ? (
        <EmptyState title={t("files.none")} />
      ) : (
        <ul className="points-file-list">
          {files.map((file) => (
            <FileRow key={file.id} file={file} pointId={point.id} mayChange={mayChange} />
          ))}
        </ul>
      )}
    </section>
  );
}

function FileRow(props: { readonly file: PointFile; readonly pointId: number; readonly mayChange: boolean }) {
  const { file, pointId, mayChange } = props;
  const { t } = useTranslation("accountingPoints");
  const { number } = useFormat();
  const { zone } = useSession();
  const remove = async () => {
    const isSure = await confirm({
      title: t("files.removeTitle", { name: file.name }),
      text: t("files.removeText"),
      action: t("files.removeAction"),
      isHarmful: true,
    });
    const body = { accounting_point_id: pointId, file_number: file.id };
    if (isSure) await change(() => exchange(pointFiles.delete, { body }), { refreshed });
  };
  return (
    <li>
      <Button kind="link" onClick={() => void openFile(pointId, file.id)}>
        {file.name}
      </Button>
      <span>{file.note}</span>
      <small>
        {[
          t("files.kib", { size: number(Math.ceil(file.bytes / kib), 0) }),
          formatDateTime(file.created_at, zone),
          file.user ?? "",
        ]
          .filter((each) => each !== "")
          .join(", ")}
      </small>
      {mayChange ? (
        <IconButton
          icon="trash"
          size="small"
          label={t("files.remove", { name: file.name })}
          onClick={() => void remove()}
        />
      ) : null}
    </li>
  );
}

function AddFile({ pointId }: { readonly pointId: number }) {
  const { t } = useTranslation("accountingPoints");
  const [isBusy, setBusy] = useState(false);
  const add = async (file: File) => {
    setBusy(true);
    try {
      await exchange(
        pointFiles.add,
        { params: { id: String(pointId) }, body: { name: file.name } },
        { files: { file } },
      );
      await refetch(pointFiles.list);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    } finally {
      setBusy(false);
    }
  };
  return (
    <label className="button button-secondary button-normal points-panel-end" aria-busy={isBusy || undefined}>
      <span>{t("files.add")}</span>
      <input
        className="visually-hidden"
        type="file"
        accept="image/jpeg,image/png,image/webp,application/pdf"
        disabled={isBusy}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) void add(file);
          currentTarget.value = "";
        }}
      />
    </label>
  );
}
