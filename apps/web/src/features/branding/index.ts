import { lazy } from "react";

/** The white-label design of a company as a section of settings. Texts: "branding" and "settings". */
export const BrandingSection = lazy(() =>
  import("./BrandingEditor.tsx").then(({ BrandingEditor }) => ({ default: BrandingEditor })),
);
