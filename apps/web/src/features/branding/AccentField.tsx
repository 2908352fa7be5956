import { fitAccent, isColour } from "@metrum/contract";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button";
import { TextField } from "#ui/field";
import { StatusGlyph } from "#ui/status";
import { errorWords } from "./errorWords.ts";
import type { Draft } from "./useDraft.ts";

/** What the colour chooser shows where nothing is chosen: the accent of the product. */
const productAccent = "#0b6e69";

/** The colour as it is wished for, and what becomes of it where it could not be read. */
export function AccentField({ draft }: { readonly draft: Draft }) {
  const { t } = useTranslation("branding");
  const { texts, errors, setText } = draft;
  const wished = isColour(texts.accent) ? texts.accent : null;
  const moved = wished === null ? null : fitAccent(wished);
  const hint = moved?.is_moved ? (
    <span className="branding-moved">
      <StatusGlyph kind="warn" />
      {t("accentMoved", { light: moved.light.accent, dark: moved.dark.accent })}
    </span>
  ) : (
    t("accentHint")
  );
  return (
    <div className="branding-accent">
      <TextField
        label={t("accent")}
        hint={hint}
        maxLength={7}
        placeholder={productAccent}
        value={texts.accent}
        error={errorWords(t, errors["accent"])}
        onChange={(event) => setText("accent", event.target.value)}
      />
      <input
        type="color"
        aria-label={t("accentChoose")}
        value={wished ?? productAccent}
        onChange={(event) => setText("accent", event.target.value)}
      />
      {texts.accent === "" ? null : (
        <Button size="small" kind="quiet" onClick={() => setText("accent", "")}>
          {t("accentClear")}
        </Button>
      )}
    </div>
  );
}
