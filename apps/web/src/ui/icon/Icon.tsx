import "./icon.css";
import { iconPaths, type IconName } from "./paths.ts";

interface Props {
  readonly name: IconName;
  readonly size?: number;
  readonly className?: string;
  /** Accessible name; without it the icon is decorative. */
  readonly label?: string;
}

export function Icon({ name, size = 16, className, label }: Props) {
  const accessibility = label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label };
  return (
    <svg
      className={className === undefined ? "icon" : `icon ${className}`}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      {...accessibility}
    >
      <path d={iconPaths[name]} />
    </svg>
  );
}

const resourceIcons = ["electricity", "water", "heat", "gas", "substance", "sensor"] as const;

/** The icon of a resource in its colour; a substance and a sensor have no separate colour. */
export function ResourceIcon(props: {
  readonly resource: string;
  readonly size?: number;
  readonly label?: string;
}) {
  const name = resourceIcons.find((each) => each === props.resource) ?? "sensor";
  return <Icon {...props} name={name} className={`icon-${name}`} />;
}
