import { use, type ComponentType } from "react";

/** Counts the user's retries: each lets parts that could not be loaded be requested once more. */
let retries = 0;
export const retryLoads = (): void => {
  retries += 1;
};

/**
 * A component that is loaded when it is first rendered, below a Suspense. If that fails, it throws; after
 * `retryLoads` it is requested again, which `React.lazy` never does. A loaded part is rendered at once.
 */
export function lazily<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): ComponentType<Props> {
  let loading: Promise<ComponentType<Props>> | undefined;
  let failedAt: number | undefined;
  const start = async () => {
    try {
      return (await load()).default;
    } catch (error) {
      failedAt = retries;
      throw error;
    }
  };
  return function Lazily(props: Props) {
    if (failedAt !== undefined && failedAt < retries) {
      failedAt = undefined;
      loading = undefined;
    }
    const Part = use((loading ??= start()));
    return <Part {...props} />;
  };
}
