import { useLayoutEffect, useRef, type ReactNode } from "react";

interface Props {
  readonly className: string;
  readonly theme: "light" | "dark";
  /** Custom properties: "--accent:#0b6e69;". */
  readonly css: string;
  readonly children: ReactNode;
}

/** A box with its own tokens; set through the CSSOM, which the content security policy allows. */
export function StyleOf({ className, theme, css, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (box.current !== null) box.current.style.cssText = css;
  }, [css]);
  return (
    <div ref={box} className={className} data-theme={theme}>
      {children}
    </div>
  );
}
