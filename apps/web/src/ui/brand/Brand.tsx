import "./brand.css";

/** The gauge of the logo: accent arc, needle in ink, the rest of the scale in grey. */
export function BrandMark({ size = 22 }: { readonly size?: number }) {
  return (
    <svg className="brand-mark" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path className="brand-arc" d="M2.6 17.5A9.8 9.8 0 0 1 14.6 5.5" />
      <path className="brand-rest" d="M18.9 8.5a9.8 9.8 0 0 1 2.5 9" />
      <path className="brand-needle" d="M12 16.4 16.6 7.6" />
      <circle className="brand-hub" cx="11.9" cy="16.5" r="2.2" />
    </svg>
  );
}
