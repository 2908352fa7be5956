import { fitAccent, isColour } from "@metrum/contract/platform";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button";
import { TextField } from "#ui/field";
import { StatusGlyph } from "#ui/status";
import type { Props } from "./brandingForm.ts";

/** Value of the colour picker without a choice: the accent of the product. */
const productAccent = "#0b6e69";

/** The chosen colour, and its adjusted tone if the contrast would be too low. */
export function AccentField({ form }: Pick<Props, "form">) {
  const { t } = useTranslation("branding");
  const field = form.field("accent");
  const wished = isColour(field.value) ? field.value : null;
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
      <TextField label={t("accent")} hint={hint} maxLength={7} placeholder={productAccent} {...field} />
      <input
        type="color"
        aria-label={t("accentChoose")}
        value={wished ?? productAccent}
        onChange={(event) => field.onValue(event.target.value)}
      />
      {field.value === "" ? null : (
        <Button size="small" kind="quiet" onClick={() => field.onValue("")}>
          {t("accentClear")}
        </Button>
      )}
    </div>
  );
}
