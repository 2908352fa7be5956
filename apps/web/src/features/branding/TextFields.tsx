import { useTranslation } from "react-i18next";
import { TextField } from "#ui/field";
import type { Props } from "./brandingForm.ts";

export function TextFields({ form }: Pick<Props, "form">) {
  const { t } = useTranslation("branding");
  return (
    <div className="branding-texts">
      <TextField label={t("name")} hint={t("nameHint")} maxLength={100} {...form.field("title")} />
      <TextField
        label={t("help")}
        hint={t("helpHint")}
        type="url"
        maxLength={500}
        {...form.field("linkToHelp")}
      />
    </div>
  );
}
