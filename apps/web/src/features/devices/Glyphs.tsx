import type { ResourceKey } from "@metrum/vocabulary";
import type { ReactNode } from "react";

/** A state is a shape and a word; colour only repeats it. */
export type Shape = "disc" | "triangle" | "diamond" | "clock" | "ring" | "dash";

const shapes: Readonly<Record<Shape, { readonly tone: string; readonly path: ReactNode }>> = {
  disc: { tone: "ok", path: <circle cx="5" cy="5" r="4" fill="currentColor" /> },
  triangle: { tone: "warn", path: <path d="M5 .8 9.6 9H.4z" fill="currentColor" /> },
  diamond: { tone: "alarm", path: <path d="M5 .2 9.8 5 5 9.8.2 5z" fill="currentColor" /> },
  clock: {
    tone: "pending",
    path: (
      <>
        <circle cx="5" cy="5" r="4" fill="none" stroke="currentColor" strokeWidth="1.4" />
        <path d="M5 5V1a4 4 0 0 1 4 4z" fill="currentColor" />
      </>
    ),
  },
  ring: {
    tone: "ink-2",
    path: (
      <circle
        cx="5"
        cy="5"
        r="4"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeDasharray="1.6 1.54"
      />
    ),
  },
  dash: { tone: "ink-2", path: <path d="M1.5 5h7" stroke="currentColor" strokeWidth="1.6" /> },
};

export function StatusGlyph({ shape }: { readonly shape: Shape }) {
  const { tone, path } = shapes[shape];
  return (
    <svg
      className="status-glyph"
      width="10"
      height="10"
      viewBox="0 0 10 10"
      aria-hidden="true"
      style={{ color: `var(--${tone})` }}
    >
      {path}
    </svg>
  );
}

const icons: Readonly<Record<ResourceKey, ReactNode>> = {
  electricity: <path d="M9 1.5 3.5 9H8l-1 5.5L12.5 7H8z" />,
  water: <path d="M8 1.8c2.6 3 4.2 5.2 4.2 7.6a4.2 4.2 0 0 1-8.4 0C3.8 7 5.4 4.8 8 1.8z" />,
  heat: (
    <path d="M8.3 1.5c.4 2.3 3.9 4 3.9 7.9A4.2 4.2 0 0 1 8 13.8a4.2 4.2 0 0 1-4.2-4.3c0-1.7.8-2.9 1.7-3.9.2 1.3.8 1.9 1.5 2.2C6.6 5.5 6.9 3.2 8.3 1.5zM8 13.8c-1.2 0-2-.9-2-2 0-1.2 1-1.8 2-3 1 1.2 2 1.8 2 3 0 1.1-.8 2-2 2z" />
  ),
  gas: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 5v6M5 8h6" />
    </>
  ),
  substance: <path d="M6 1.5h4M7 1.5V6l-3.5 6.5c-.4.9.1 2 1.1 2h6.8c1 0 1.5-1.1 1.1-2L9 6V1.5M5 10h6" />,
  sensor: (
    <>
      <circle cx="8" cy="8" r="1.5" />
      <path d="M5 11a4.2 4.2 0 0 1 0-6M11 5a4.2 4.2 0 0 1 0 6M3 13a7 7 0 0 1 0-10M13 3a7 7 0 0 1 0 10" />
    </>
  ),
  other: <rect x="3" y="3" width="10" height="10" rx="2" />,
};

const tones: Readonly<Partial<Record<ResourceKey, string>>> = {
  electricity: "electricity",
  water: "water",
  heat: "heat",
  gas: "gas",
};

export function ResourceIcon({
  resource,
  label,
}: {
  readonly resource: ResourceKey;
  readonly label: string;
}) {
  return (
    <svg
      className="resource-icon"
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinejoin="round"
      role="img"
      style={{ color: `var(--${tones[resource] ?? "ink-2"})` }}
    >
      <title>{label}</title>
      {icons[resource]}
    </svg>
  );
}
