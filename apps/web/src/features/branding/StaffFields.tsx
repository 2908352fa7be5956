import { designCode } from "@metrum/contract/platform";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button";
import { TextField } from "#ui/field";
import { SettingsRow } from "#ui/settings";
import type { Props } from "./brandingForm.ts";

/** Settings that affect other companies: host names, and code that runs in every page there. */
export function StaffFields(props: Props) {
  const { t } = useTranslation("branding");
  return (
    <>
      <TextField label={t("hosts")} hint={t("hostsHint")} {...props.form.field("hosts")} />
      {designCode.map((field) => (
        <CodeRow key={field} field={field} {...props} />
      ))}
    </>
  );
}

function CodeRow({ field, form, design }: Props & { readonly field: (typeof designCode)[number] }) {
  const { t } = useTranslation("branding");
  const { value: chosen, error, onValue } = form.field(field);
  const stored = design[field];
  const has = chosen === undefined ? stored !== null : chosen !== null;
  return (
    <SettingsRow title={t(`code.${field}`)} text={error ?? chosen?.name ?? (has ? stored : t("code.none"))}>
      <div className="branding-actions">
        <label className="button button-secondary button-small">
          <span>{t("picture.choose")}</span>
          <input
            className="visually-hidden"
            type="file"
            accept={field === "script" ? ".js,text/javascript" : ".css,text/css"}
            onChange={(event) => {
              const file = event.target.files?.[0];
              if (file !== undefined) onValue(file);
              event.target.value = "";
            }}
          />
        </label>
        {has ? (
          <Button size="small" kind="quiet" onClick={() => onValue(null)}>
            {t("picture.remove")}
          </Button>
        ) : null}
      </div>
    </SettingsRow>
  );
}
