import { designBounds, type DesignPicture } from "@metrum/contract/platform";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button";
import { StatusGlyph } from "#ui/status";
import type { Props } from "./brandingForm.ts";
import { usePicture } from "./usePicture.ts";

/** A picture of the branding: keep, replace or remove it. */
export function PictureField({ field, form, design }: Props & { readonly field: DesignPicture }) {
  const { t } = useTranslation("branding");
  const id = useId();
  const { value, error, onValue } = form.field(field);
  const shown = usePicture(value, design[field]);
  const choose = (file: File | undefined) => {
    if (file !== undefined) onValue(file);
  };
  return (
    <div className="branding-picture" role="group" aria-labelledby={id}>
      <p id={id}>{t(`picture.${field}`)}</p>
      <div className="branding-frame" data-field={field}>
        {shown === null ? <span>{t("picture.none")}</span> : <img src={shown} alt={t(`picture.${field}`)} />}
      </div>
      <p className="branding-note">
        {error === undefined ? (
          t("picture.hint", { mib: designBounds.pictureBytes / 1024 / 1024 })
        ) : (
          <span className="field-error" role="alert">
            <StatusGlyph kind="alarm" />
            {error}
          </span>
        )}
      </p>
      <div className="branding-actions">
        <label className="button button-secondary button-small">
          <span>{t("picture.choose")}</span>
          <input
            className="visually-hidden"
            type="file"
            accept="image/png,image/jpeg,image/webp"
            onChange={(event) => {
              choose(event.target.files?.[0]);
              // So that the same file can be chosen again.
              event.target.value = "";
            }}
          />
        </label>
        {shown === null ? null : (
          <Button size="small" kind="quiet" onClick={() => onValue(null)}>
            {t("picture.remove")}
          </Button>
        )}
      </div>
    </div>
  );
}
