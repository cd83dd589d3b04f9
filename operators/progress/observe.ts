import { Observable, Subscription, type ObservableInput, type OperatorFunction, type SchedulerLike } from 'rxjs';
