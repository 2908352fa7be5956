import { Suspense, useState, type ComponentProps, type ReactNode } from "react";
import { IconButton } from "#ui/button";
import type { IconName } from "#ui/icon";

interface Props<Part> {
  readonly icon: IconName;
  readonly label: string;
  readonly size?: ComponentProps<typeof IconButton>["size"];
  /** Null: it cannot be loaded now, which has been reported. */
  readonly load: () => Promise<Part | null>;
  readonly children: (part: Part) => ReactNode;
}

/** Opens a menu of the list that is loaded then: most visits to a list need none. */
export function LazyMenuButton<Part extends object>({ icon, label, size, load, children }: Props<Part>) {
  const [isBusy, setBusy] = useState(false);
  const [part, setPart] = useState<Part | null>(null);
  const open = async () => {
    setBusy(true);
    setPart(await load());
    setBusy(false);
  };
  const button = (
    <IconButton
      icon={icon}
      label={label}
      {...(size === undefined ? {} : { size })}
      aria-haspopup="menu"
      isBusy={isBusy || part !== null}
      onClick={() => void open()}
    />
  );
  // Its texts may have to be loaded too, which must not take the page away.
  return part === null ? button : <Suspense fallback={button}>{children(part)}</Suspense>;
}
