import { fitAccent, isColour } from "@metrum/contract/platform";
import { useTranslation } from "react-i18next";
import { plainDesign, tones } from "#lib/design";
import { BrandMark } from "#ui/brand";
import type { Props } from "./brandingForm.ts";
import { StyleOf } from "./StyleOf.tsx";
import { usePicture } from "./usePicture.ts";

const themes = ["light", "dark"] as const;

/** Preview of the bar and a button in both themes, before saving. */
export function BrandPreview({ design, form }: Props) {
  const { t, i18n } = useTranslation("branding");
  const { accent, title, logo_cloud, logo_cloud_en } = form.values;
  const russian = usePicture(logo_cloud, design.logo_cloud);
  const other = usePicture(logo_cloud_en, design.logo_cloud_en);
  const logo = i18n.language === "ru" ? russian : (other ?? russian);
  const fitted = isColour(accent) ? fitAccent(accent) : null;
  return (
    <div className="branding-previews" role="group" aria-label={t("preview")}>
      {themes.map((theme) => (
        <StyleOf
          key={theme}
          className="branding-preview"
          theme={theme}
          css={fitted ? tones(fitted[theme]) : ""}
        >
          <div className="branding-bar">
            {logo === null ? (
              <>
                <BrandMark />
                <strong>{title.trim() || plainDesign.title}</strong>
              </>
            ) : (
              <img src={logo} alt={title.trim() || plainDesign.title} />
            )}
          </div>
          <p>
            <span className="branding-entry">{t("previewEntry")}</span>
            <span className="branding-link">{t("previewLink")}</span>
            <span className="branding-button">{t("previewButton")}</span>
          </p>
        </StyleOf>
      ))}
    </div>
  );
}
