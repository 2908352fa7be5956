import { Component, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { retryLoads } from "#lib/load";
import { CrashNote } from "./CrashNote.tsx";

interface Props {
  readonly children: ReactNode;
  /** A changed value means other content: the boundary resets. */
  readonly resetKey?: string;
}
interface State {
  readonly error: Error | null;
  readonly resetKey: string | undefined;
}

/** Confines a failure to its panel. A class, because React has no other error boundary. */
export class Boundary extends Component<Props, State> {
  override readonly state: State = { error: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps(props: Props, state: State): State | null {
    return props.resetKey === state.resetKey ? null : { error: null, resetKey: props.resetKey };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const retry = () => {
      retryLoads();
      this.setState({ error: null });
    };
    return <Crashed error={error} onRetry={retry} />;
  }
}

function Crashed({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const { t } = useTranslation("common");
  return <CrashNote title={t("crash.part")} error={error} onRetry={onRetry} />;
}
