import { useQuery } from '@tanstack/react-query';
import { usePendingCount } from './approvals.ts';
import { elevationsQuery } from './elevations.ts';

/** How many agents ask for more autonomy. */
export function useRequestedElevations(): number {
  const { data = [] } = useQuery(elevationsQuery);
  return data.filter(({ state }) => state === 'pending').length;
}

/** All that waits for a person under Approvals. */
export function useWaitingCount(): number {
  return usePendingCount() + useRequestedElevations();
}
