import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { Icon, type IconName } from "#ui/icon";
import "./button.css";

export type ButtonKind = "primary" | "secondary" | "quiet" | "danger" | "link";

interface Look {
  readonly kind?: ButtonKind;
  readonly size?: "small" | "normal" | "large";
  readonly isWide?: boolean;
}

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className">, Look {
  readonly icon?: IconName;
  readonly iconAfter?: IconName;
  readonly isBusy?: boolean;
  readonly children?: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** Classes of a button, for links that look like one. */
export function buttonClass({ kind = "secondary", size = "normal", isWide = false }: Look = {}): string {
  return `button button-${kind} button-${size}${isWide ? " is-wide" : ""}`;
}

export function Button(props: ButtonProps) {
  const { kind, size, isWide, icon, iconAfter, isBusy = false, children, type = "button", ...rest } = props;
  const look = buttonClass({
    ...(kind === undefined ? {} : { kind }),
    ...(size === undefined ? {} : { size }),
    ...(isWide === undefined ? {} : { isWide }),
  });
  return (
    <button {...rest} type={type} className={look} aria-busy={isBusy || undefined}>
      {icon === undefined ? null : <Icon name={icon} />}
      {children === undefined ? null : <span>{children}</span>}
      {iconAfter === undefined ? null : <Icon name={iconAfter} size={12} />}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonProps, "children" | "icon" | "iconAfter" | "aria-label"> {
  readonly icon: IconName;
  /** Name for screen readers and for the tooltip. */
  readonly label: string;
}

export function IconButton({ icon, label, kind = "quiet", title, ...rest }: IconButtonProps) {
  return <Button {...rest} kind={kind} icon={icon} aria-label={label} title={title ?? label} />;
}
