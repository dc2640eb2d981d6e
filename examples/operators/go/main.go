// An operator that runs databases: a Service and a StatefulSet for each Database.
//
//	go run . --kubeconfig bottle.yaml
package main

import (
	"flag"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func main() {
	// controller-runtime adds the flag --kubeconfig.
	leaderElection := flag.Bool("leader-elect", false, "work only while holding a Lease")
	namespace := flag.String("leader-election-namespace", "default", "where the Lease is")
	flag.Parse()
	ctrl.SetLogger(zap.New())

	scheme := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	utilruntime.Must(addToScheme(scheme))
	manager, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		Scheme:                        scheme,
		Metrics:                       metricsserver.Options{BindAddress: "0"},
		LeaderElection:                *leaderElection,
		LeaderElectionID:              "database-operator",
		LeaderElectionNamespace:       *namespace,
		LeaderElectionReleaseOnCancel: true,
	})
	exitOn(err)
	exitOn(ctrl.NewControllerManagedBy(manager).
		For(&Database{}).
		Owns(&corev1.Service{}).
		Owns(&appsv1.StatefulSet{}).
		Complete(&reconciler{
			Client:   manager.GetClient(),
			recorder: manager.GetEventRecorderFor("database-operator"),
			crashAt:  os.Getenv("CRASH_AT"),
		}))
	exitOn(manager.Start(ctrl.SetupSignalHandler()))
}

func exitOn(err error) {
	if err != nil {
		ctrl.Log.Error(err, "the operator ends")
		os.Exit(1)
	}
}
