package main

import (
	"context"
	"fmt"
	"os"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const (
	finalizer = "example.com/finalizer"
	port      = 5432
	retry     = 5 * time.Second
)

var images = map[string]string{"mysql": "mysql", "postgresql": "postgres"}

// reconciler makes what is there what a Database asks for. It gets a name, never what happened.
type reconciler struct {
	client.Client
	recorder record.EventRecorder
	// crashAt names a point at which the process ends; tests try what a restart finds.
	crashAt string
}

func (r *reconciler) crash(point string) {
	if r.crashAt == point {
		os.Exit(1)
	}
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	database := &Database{}
	if err := r.Get(ctx, request.NamespacedName, database); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !database.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.finalize(ctx, database)
	}
	if controllerutil.AddFinalizer(database, finalizer) {
		if err := r.Update(ctx, database); err != nil {
			return ctrl.Result{}, err
		}
		r.crash("finalizer-added")
	}
	if err := r.ensureService(ctx, database); err != nil {
		return ctrl.Result{}, err
	}
	set, err := r.ensureStatefulSet(ctx, database)
	if err != nil {
		return ctrl.Result{}, err
	}
	return r.updateStatus(ctx, database, set)
}

// finalize does what must be done before a Database may go.
func (r *reconciler) finalize(ctx context.Context, database *Database) error {
	if !controllerutil.ContainsFinalizer(database, finalizer) {
		return nil
	}
	if database.Status.Phase != "Deleting" {
		r.recorder.Event(database, corev1.EventTypeNormal, "Finalizing", "Cleaning up "+database.Name)
		database.Status.Phase = "Deleting"
		if err := r.Status().Update(ctx, database); err != nil {
			return err
		}
	}
	r.crash("before-finalizer-removed")
	controllerutil.RemoveFinalizer(database, finalizer)
	return r.Update(ctx, database)
}

func labelsOf(database *Database) map[string]string {
	return map[string]string{"app.kubernetes.io/name": "database", "app.kubernetes.io/instance": database.Name}
}

func (r *reconciler) ensureService(ctx context.Context, database *Database) error {
	err := r.Get(ctx, client.ObjectKeyFromObject(database), &corev1.Service{})
	if !apierrors.IsNotFound(err) {
		return err
	}
	service := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: database.Name, Namespace: database.Namespace, Labels: labelsOf(database)},
		Spec: corev1.ServiceSpec{
			ClusterIP: corev1.ClusterIPNone,
			Selector:  labelsOf(database),
			Ports:     []corev1.ServicePort{{Name: "db", Port: port, TargetPort: intstr.FromInt32(port)}},
		},
	}
	if err := controllerutil.SetControllerReference(database, service, r.Scheme()); err != nil {
		return err
	}
	if err := r.Create(ctx, service); err != nil {
		return err
	}
	r.crash("service-created")
	r.recorder.Event(database, corev1.EventTypeNormal, "ServiceCreated", "Created Service "+service.Name)
	return nil
}

func (r *reconciler) ensureStatefulSet(ctx context.Context, database *Database) (*appsv1.StatefulSet, error) {
	replicas := int32(1)
	if database.Spec.Replicas != nil {
		replicas = *database.Spec.Replicas
	}
	image := images[database.Spec.Engine] + ":" + database.Spec.Version
	set := &appsv1.StatefulSet{}
	err := r.Get(ctx, client.ObjectKeyFromObject(database), set)
	if apierrors.IsNotFound(err) {
		return r.createStatefulSet(ctx, database, replicas, image)
	}
	if err != nil {
		return nil, err
	}
	container := &set.Spec.Template.Spec.Containers[0]
	if *set.Spec.Replicas == replicas && container.Image == image {
		return set, nil
	}
	set.Spec.Replicas, container.Image = &replicas, image
	if err := r.Update(ctx, set); err != nil {
		return nil, err
	}
	r.recorder.Event(database, corev1.EventTypeNormal, "StatefulSetUpdated", "Updated StatefulSet "+set.Name)
	return set, nil
}

func (r *reconciler) createStatefulSet(ctx context.Context, database *Database, replicas int32, image string) (*appsv1.StatefulSet, error) {
	labels := labelsOf(database)
	set := &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Name: database.Name, Namespace: database.Namespace, Labels: labels},
		Spec: appsv1.StatefulSetSpec{
			Replicas:    &replicas,
			ServiceName: database.Name,
			Selector:    &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "db", Image: image}}},
			},
		},
	}
	if err := controllerutil.SetControllerReference(database, set, r.Scheme()); err != nil {
		return nil, err
	}
	if err := r.Create(ctx, set); err != nil {
		return nil, err
	}
	r.crash("statefulset-created")
	r.recorder.Event(database, corev1.EventTypeNormal, "StatefulSetCreated", "Created StatefulSet "+set.Name)
	return set, nil
}

// updateStatus writes the status when it differs, and asks for another look while the Database is not ready.
func (r *reconciler) updateStatus(ctx context.Context, database *Database, set *appsv1.StatefulSet) (ctrl.Result, error) {
	ready := set.Status.ReadyReplicas == *set.Spec.Replicas && set.Status.ObservedGeneration == set.Generation
	before := database.DeepCopyObject().(*Database)
	status := &database.Status
	status.ObservedGeneration = database.Generation
	status.Endpoint = fmt.Sprintf("%s.%s.svc:%d", database.Name, database.Namespace, port)
	status.ReadyReplicas = set.Status.ReadyReplicas
	condition := metav1.Condition{Type: "Ready", ObservedGeneration: database.Generation}
	switch {
	case ready:
		status.Phase = "Ready"
		condition.Status, condition.Reason = metav1.ConditionTrue, "AllReplicasReady"
		condition.Message = fmt.Sprintf("%d replicas are ready", set.Status.ReadyReplicas)
	case before.Status.Phase == "Ready" || before.Status.Phase == "Updating":
		status.Phase = "Updating"
	default:
		status.Phase = "Creating"
	}
	if !ready {
		condition.Status, condition.Reason, condition.Message = metav1.ConditionFalse, "Progressing", "waiting for replicas"
	}
	meta.SetStatusCondition(&status.Conditions, condition)
	if !equality.Semantic.DeepEqual(before.Status, *status) {
		if err := r.Status().Update(ctx, database); err != nil {
			return ctrl.Result{}, err
		}
		if ready && before.Status.Phase != "Ready" {
			r.recorder.Event(database, corev1.EventTypeNormal, "Ready", "Database is ready")
		}
	}
	if ready {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{RequeueAfter: retry}, nil
}
