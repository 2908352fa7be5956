import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { formatShort, useFormat } from "#lib/format";
import { IconButton } from "#ui/button";
import { Icon } from "#ui/icon";
import { StatusGlyph } from "#ui/status";
import type { KeptFile } from "./keptFiles.ts";

interface Props {
  readonly side: KeptFile["side"];
  readonly files: readonly KeptFile[];
  readonly zone: string;
  readonly fault: string | undefined;
  readonly onAdd: (files: readonly File[], side: KeptFile["side"]) => void;
  readonly onRemove: (id: string) => void;
}

/** Photographs of a display or a seal, and the act; on a phone the button opens the camera. */
export function SwapFiles({ side, files, zone, fault, onAdd, onRemove }: Props) {
  const { t } = useTranslation("pointReplacement");
  const own = files.filter((each) => each.side === side);
  return (
    <section className="points-files" aria-label={t("files.title")}>
      <p>{t("files.title")}</p>
      <ul>
        {own.map((file) => (
          <li key={file.id}>
            <Preview file={file} />
            <FileName file={file} zone={zone} />
            <IconButton
              icon="close"
              size="small"
              label={t("files.remove", { name: file.name })}
              onClick={() => onRemove(file.id)}
            />
          </li>
        ))}
        <li className="points-files-add">
          <Chooser icon="phone" text={t("files.camera")} isCamera onFiles={(chosen) => onAdd(chosen, side)} />
          <Chooser icon="plus" text={t("files.add")} onFiles={(chosen) => onAdd(chosen, side)} />
        </li>
      </ul>
      {fault === undefined ? null : (
        <p className="field-error" role="alert">
          <StatusGlyph kind="alarm" />
          {fault}
        </p>
      )}
    </section>
  );
}

function FileName({ file, zone }: { readonly file: KeptFile; readonly zone: string }) {
  const { t } = useTranslation("pointReplacement");
  const { number } = useFormat();
  const { size } = file.content;
  const kib = 1024;
  return (
    <span className="points-file-name">
      <b>{file.name}</b>
      <small>
        {size >= kib * kib
          ? t("files.mib", { size: number(size / kib / kib, 1) })
          : t("files.kib", { size: number(Math.ceil(size / kib), 0) })}
        {", "}
        {formatShort(file.at, zone)}
      </small>
    </span>
  );
}

function Preview({ file }: { readonly file: KeptFile }) {
  const isPicture = file.content.type.startsWith("image/");
  const address = useMemo(
    () => (isPicture ? URL.createObjectURL(file.content) : null),
    [isPicture, file.content],
  );
  useEffect(() => {
    if (address === null) return undefined;
    return () => URL.revokeObjectURL(address);
  }, [address]);
  return (
    <span className="points-file-picture">
      {address === null ? <Icon name="reports" /> : <img src={address} alt="" />}
    </span>
  );
}

interface ChooserProps {
  readonly icon: "plus" | "phone";
  readonly text: string;
  readonly isCamera?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

function Chooser({ icon, text, isCamera = false, onFiles }: ChooserProps) {
  return (
    <label data-camera={isCamera ? "" : undefined}>
      <Icon name={icon} />
      <span>{text}</span>
      <input
        className="visually-hidden"
        type="file"
        accept={isCamera ? "image/*" : "image/jpeg,image/png,image/webp,application/pdf"}
        {...(isCamera ? { capture: "environment" as const } : { multiple: true })}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // So that the same file can be chosen again.
          currentTarget.value = "";
        }}
      />
    </label>
  );
}
