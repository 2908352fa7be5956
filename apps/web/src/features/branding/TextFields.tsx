import { useTranslation } from "react-i18next";
import { TextField } from "#ui/field";
import { errorWords } from "./errorWords.ts";
import type { Draft } from "./useDraft.ts";

export function TextFields({ draft }: { readonly draft: Draft }) {
  const { t } = useTranslation("branding");
  const { texts, errors, setText } = draft;
  return (
    <div className="branding-texts">
      <TextField
        label={t("name")}
        hint={t("nameHint")}
        maxLength={100}
        value={texts.title}
        error={errorWords(t, errors["title"])}
        onChange={(event) => setText("title", event.target.value)}
      />
      <TextField
        label={t("help")}
        hint={t("helpHint")}
        type="url"
        maxLength={500}
        value={texts.linkToHelp}
        error={errorWords(t, errors["linkToHelp"])}
        onChange={(event) => setText("linkToHelp", event.target.value)}
      />
    </div>
  );
}
