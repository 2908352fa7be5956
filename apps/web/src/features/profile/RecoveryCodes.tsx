import { useTranslation } from "react-i18next";
import { Button } from "#ui/button";
import { copyText } from "#ui/copy";
import { StatusGlyph } from "#ui/status";

/** Codes that are shown only this once: to copy, to save as a file or on paper. */
export function RecoveryCodes({
  codes,
  email,
  onDone,
}: {
  readonly codes: readonly string[];
  readonly email: string;
  readonly onDone: () => void;
}) {
  const { t } = useTranslation("profile");
  const text = [`Metrum, ${email}`, t("recovery.fileTitle"), "", ...codes, ""].join("\n");
  const notices = { copied: t("copied"), notCopied: t("notCopied") };
  return (
    <div className="profile-recovery">
      <p className="profile-warning" role="status">
        <StatusGlyph kind="warn" />
        {t("recovery.once")}
      </p>
      <ul className="profile-codes" aria-label={t("recovery.title")}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="profile-buttons">
        <Button icon="copy" onClick={() => void copyText(codes.join("\n"), notices)}>
          {t("copy")}
        </Button>
        <Button icon="download" onClick={() => saveFile(text)}>
          {t("recovery.download")}
        </Button>
        <Button onClick={() => window.print()}>{t("recovery.print")}</Button>
        <Button kind="primary" onClick={onDone}>
          {t("recovery.saved")}
        </Button>
      </div>
    </div>
  );
}

function saveFile(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = "metrum-recovery-codes.txt";
  link.click();
  URL.revokeObjectURL(address);
}
