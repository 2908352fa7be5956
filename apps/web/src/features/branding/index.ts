import { lazy } from "react";
import { loadTexts } from "#lib/i18n";

/** The white-label design of a company as a section of settings; brings its texts along. */
export const BrandingSection = lazy(async () => {
  const [{ BrandingEditor }] = await Promise.all([
    import("./BrandingEditor.tsx"),
    loadTexts("branding", "settings"),
  ]);
  return { default: BrandingEditor };
});
