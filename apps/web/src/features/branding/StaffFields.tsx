import { designCode } from "@metrum/contract";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button";
import { TextField } from "#ui/field";
import { SettingsRow } from "#ui/settings";
import { errorWords } from "./errorWords.ts";
import type { Draft } from "./useDraft.ts";

/** What reaches beyond the company: on which hosts it shows, and code that runs in every page there. */
export function StaffFields({ draft }: { readonly draft: Draft }) {
  const { t } = useTranslation("branding");
  const { texts, errors, setText } = draft;
  return (
    <>
      <TextField
        label={t("hosts")}
        hint={t("hostsHint")}
        value={texts.hosts}
        error={errorWords(t, errors["hosts"])}
        onChange={(event) => setText("hosts", event.target.value)}
      />
      {designCode.map((field) => (
        <CodeRow key={field} field={field} draft={draft} />
      ))}
    </>
  );
}

function CodeRow({ field, draft }: { readonly field: (typeof designCode)[number]; readonly draft: Draft }) {
  const { t } = useTranslation("branding");
  const { files, design, errors, setFile } = draft;
  const chosen = files[field];
  const stored = design[field];
  const has = chosen === undefined ? stored !== null : chosen !== null;
  return (
    <SettingsRow
      title={t(`code.${field}`)}
      text={errorWords(t, errors[field]) ?? chosen?.name ?? (has ? stored : t("code.none"))}
    >
      <div className="branding-actions">
        <label className="button button-secondary button-small">
          <span>{t("picture.choose")}</span>
          <input
            className="visually-hidden"
            type="file"
            accept={field === "script" ? ".js,text/javascript" : ".css,text/css"}
            onChange={(event) => {
              const file = event.target.files?.[0];
              if (file !== undefined) setFile(field, file);
              event.target.value = "";
            }}
          />
        </label>
        {has ? (
          <Button size="small" kind="quiet" onClick={() => setFile(field, null)}>
            {t("picture.remove")}
          </Button>
        ) : null}
      </div>
    </SettingsRow>
  );
}
