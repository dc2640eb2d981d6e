// A program on bare client-go: with a Lease in hand it runs a Deployment by way of informers, typed clients (protobuf) and metadata, and says what it sees.
//
//	go run ./follow --kubeconfig bottle.yaml
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"sort"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	appsv1apply "k8s.io/client-go/applyconfigurations/apps/v1"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	metav1apply "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/pager"
)

const (
	namespace = "default"
	name      = "followed"
	replicas  = 3
)

var labels = map[string]string{"app": name}

func main() {
	kubeconfig := flag.String("kubeconfig", os.Getenv("KUBECONFIG"), "how to reach the cluster")
	identity := flag.String("identity", "follower", "the name of this process")
	flag.Parse()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	must(err)
	objects := metadata.NewForConfigOrDie(config)
	config.ContentType = runtime.ContentTypeProtobuf
	config.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	client := kubernetes.NewForConfigOrDie(config)

	ctx, cancel := context.WithCancel(context.Background())
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: namespace, Name: "follower"},
			Client:     client.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: *identity},
		},
		ReleaseOnCancel: true,
		LeaseDuration:   15 * time.Second,
		RenewDeadline:   10 * time.Second,
		RetryPeriod:     2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				fmt.Println("leads:", *identity)
				follow(ctx, client, objects)
				cancel()
			},
			OnStoppedLeading: func() { fmt.Println("leads no more") },
		},
	})
}

func follow(ctx context.Context, client kubernetes.Interface, objects metadata.Interface) {
	seen := watchPods(ctx, client)
	deployments := client.AppsV1().Deployments(namespace)
	_, err := deployments.Apply(ctx, deployment(), metav1.ApplyOptions{FieldManager: name})
	must(err)
	waitFor(ctx, "Ready", func() bool { return seen.ready() == 1 })
	scale, err := deployments.GetScale(ctx, name, metav1.GetOptions{})
	must(err)
	scale.Spec.Replicas = replicas
	_, err = deployments.UpdateScale(ctx, name, scale, metav1.UpdateOptions{})
	must(err)
	waitFor(ctx, fmt.Sprintf("%d Ready", replicas), func() bool { return seen.ready() == replicas })

	fmt.Println("listed in pages:", len(listInPages(ctx, client)))
	logs, err := client.CoreV1().Pods(namespace).GetLogs(seen.names()[0], &corev1.PodLogOptions{}).Stream(ctx)
	must(err)
	_, err = io.ReadAll(logs)
	must(err)
	partial, err := objects.Resource(corev1.SchemeGroupVersion.WithResource("pods")).Namespace(namespace).List(ctx, selected())
	must(err)
	fmt.Println("listed as metadata:", len(partial.Items))
	foreground := metav1.DeletePropagationForeground
	must(deployments.Delete(ctx, name, metav1.DeleteOptions{PropagationPolicy: &foreground}))
	waitFor(ctx, "gone", func() bool { return len(seen.names()) == 0 })
}

func deployment() *appsv1apply.DeploymentApplyConfiguration {
	container := corev1apply.Container().WithName("web").WithImage("nginx:1.27")
	template := corev1apply.PodTemplateSpec().WithLabels(labels).WithSpec(corev1apply.PodSpec().WithContainers(container))
	selector := metav1apply.LabelSelector().WithMatchLabels(labels)
	return appsv1apply.Deployment(name, namespace).
		WithSpec(appsv1apply.DeploymentSpec().WithSelector(selector).WithTemplate(template))
}

func selected() metav1.ListOptions {
	return metav1.ListOptions{LabelSelector: "app=" + name}
}

func listInPages(ctx context.Context, client kubernetes.Interface) []runtime.Object {
	pages := pager.New(pager.SimplePageFunc(func(options metav1.ListOptions) (runtime.Object, error) {
		return client.CoreV1().Pods(namespace).List(ctx, options)
	}))
	pages.PageSize = 2
	list, _, err := pages.List(ctx, selected())
	must(err)
	items, err := meta.ExtractList(list)
	must(err)
	return items
}

// podsSeen is what an informer has told so far.
type podsSeen struct {
	sync.Mutex
	pods map[string]*corev1.Pod
}

func watchPods(ctx context.Context, client kubernetes.Interface) *podsSeen {
	seen := &podsSeen{pods: map[string]*corev1.Pod{}}
	only := informers.WithTweakListOptions(func(options *metav1.ListOptions) { options.LabelSelector = "app=" + name })
	factory := informers.NewSharedInformerFactoryWithOptions(client, time.Minute, informers.WithNamespace(namespace), only)
	informer := factory.Core().V1().Pods().Informer()
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { seen.put(object.(*corev1.Pod)) },
		UpdateFunc: func(_, object any) { seen.put(object.(*corev1.Pod)) },
		DeleteFunc: func(object any) {
			key, _ := cache.DeletionHandlingMetaNamespaceKeyFunc(object)
			_, podName, _ := cache.SplitMetaNamespaceKey(key)
			seen.remove(podName)
		},
	})
	must(err)
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	return seen
}

func (s *podsSeen) put(pod *corev1.Pod) {
	s.Lock()
	defer s.Unlock()
	s.pods[pod.Name] = pod
}

func (s *podsSeen) remove(podName string) {
	s.Lock()
	defer s.Unlock()
	delete(s.pods, podName)
}

func (s *podsSeen) names() (names []string) {
	s.Lock()
	defer s.Unlock()
	for podName := range s.pods {
		names = append(names, podName)
	}
	sort.Strings(names)
	return names
}

func (s *podsSeen) ready() (count int) {
	s.Lock()
	defer s.Unlock()
	for _, pod := range s.pods {
		for _, condition := range pod.Status.Conditions {
			if condition.Type == corev1.PodReady && condition.Status == corev1.ConditionTrue {
				count++
			}
		}
	}
	return count
}

func waitFor(ctx context.Context, what string, condition func() bool) {
	must(wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, time.Minute, true, func(context.Context) (bool, error) { return condition(), nil }))
	fmt.Println("seen:", what)
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
